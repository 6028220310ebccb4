/** Many changes in one request, each judged by itself. */
import { SearchServerError } from '../search-server-error.ts';
import type { SearchTransport } from './transport.ts';

export interface Change {
  readonly index: string;
  readonly id: number;
  /** Older ones than what is there are refused, and that is as it should be. */
  readonly version: number;
  /** Undefined: it is deleted. */
  readonly document: object | undefined;
}

/** done: it has it, or something newer; again: it could not take it now; never: it will not take it as it is. */
export type Verdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'never'; readonly reason: string };

interface ItemAnswer {
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/** In the order of the changes. Throws where the whole request fails for a reason that may pass. */
export async function sendBulk(
  transport: Pick<SearchTransport, 'request'>,
  changes: readonly Change[],
  isAlias: boolean,
): Promise<Verdict[]> {
  if (changes.length === 0) return [];
  try {
    const { body } = await transport.request({
      ...{ method: 'POST', path: '/_bulk', lines: changes.flatMap(toLines) },
      // Without it a missing alias would be made an index of that name, with a mapping of its own invention.
      query: isAlias ? { require_alias: true } : {},
    });
    const { items } = body as { items: readonly Readonly<Record<string, ItemAnswer>>[] };
    return changes.map((_, index) => judge(Object.values(items[index] ?? {})[0]));
  } catch (error) {
    if (!(error instanceof SearchServerError) || error.status !== 413) throw error;
    return sendHalves(transport, changes, isAlias);
  }
}

async function sendHalves(
  transport: Pick<SearchTransport, 'request'>,
  changes: readonly Change[],
  isAlias: boolean,
): Promise<Verdict[]> {
  if (changes.length === 1) return [{ kind: 'never', reason: 'too large for the search server' }];
  const middle = Math.ceil(changes.length / 2);
  const first = await sendBulk(transport, changes.slice(0, middle), isAlias);
  return [...first, ...(await sendBulk(transport, changes.slice(middle), isAlias))];
}

function toLines({ index, id, version, document }: Change): object[] {
  const place = { _index: index, _id: String(id), version, version_type: 'external_gte' };
  return document === undefined ? [{ delete: place }] : [{ index: place }, document];
}

function judge(item: ItemAnswer | undefined): Verdict {
  if (item === undefined) return { kind: 'again', reason: 'it did not say what became of it' };
  const { status, error } = item;
  // 409: something newer is there. 404 without an error: what was to be deleted is not there.
  if (status < 300 || status === 409 || (status === 404 && error === undefined)) return { kind: 'done' };
  const reason = `${error?.type ?? status}: ${error?.reason ?? ''}`.slice(0, 500);
  const mayPass = status === 429 || status >= 500 || error?.type === 'index_not_found_exception';
  return mayPass ? { kind: 'again', reason } : { kind: 'never', reason };
}
