/** Many changes in one request, each judged by itself. */
import { SearchServerError } from '../search-server-error.ts';
import type { SearchTransport } from './transport.ts';

export interface Change {
  readonly alias: string;
  readonly id: number;
  /** Older ones than what is there are refused, and that is as it should be. */
  readonly version: number;
  /** Undefined: it is deleted. */
  readonly document: object | undefined;
}

/** done: it has it, or something newer; again: it could not take it now; never: it will not take it as it is. */
export type Verdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly reason: string; readonly isIndexMissing?: boolean }
  | { readonly kind: 'never'; readonly reason: string };

interface ItemAnswer {
  readonly status: number;
  readonly error?: { readonly type?: string; readonly reason?: string };
}

/** In the order of the changes. Throws where the whole request fails for a reason that may pass. */
export async function sendBulk(
  transport: Pick<SearchTransport, 'request'>,
  changes: readonly Change[],
): Promise<Verdict[]> {
  if (changes.length === 0) return [];
  try {
    const { body } = await transport.request({
      ...{ method: 'POST', path: '/_bulk', lines: [...changes.flatMap(toLines), ...guard(changes)] },
      // Without it a missing alias would be made an index of that name, with a mapping of the server's own invention.
      query: { require_alias: true },
    });
    const { items } = body as { items: readonly Readonly<Record<string, ItemAnswer>>[] };
    return changes.map((_, index) => judge(Object.values(items[index] ?? {})[0]));
  } catch (error) {
    if (!(error instanceof SearchServerError) || error.status !== 413) throw error;
    return sendHalves(transport, changes);
  }
}

async function sendHalves(
  transport: Pick<SearchTransport, 'request'>,
  changes: readonly Change[],
): Promise<Verdict[]> {
  if (changes.length === 1) return [{ kind: 'never', reason: 'too large for the search server' }];
  const middle = Math.ceil(changes.length / 2);
  const first = await sendBulk(transport, changes.slice(0, middle));
  return [...first, ...(await sendBulk(transport, changes.slice(middle)))];
}

function toLines({ alias, id, version, document }: Change): object[] {
  const place = { _index: alias, _id: String(id), version, version_type: 'external_gte' };
  return document === undefined ? [{ delete: place }] : [{ index: place }, document];
}

/**
 * A deletion with a version makes a missing index too, alias or not; unless something else in the bulk is written to
 * the same place, which does want an alias. What is written then has no words, and is never found.
 */
function guard(changes: readonly Change[]): object[] {
  const written = new Set(changes.flatMap(({ alias, document }) => (document === undefined ? [] : [alias])));
  const unguarded = new Set(changes.map(({ alias }) => alias).filter((alias) => !written.has(alias)));
  return [...unguarded].flatMap((alias) => [
    { index: { _index: alias, _id: 'guard', version: 1, version_type: 'external_gte' } },
    {},
  ]);
}

function judge(item: ItemAnswer | undefined): Verdict {
  if (item === undefined) return { kind: 'again', reason: 'it did not say what became of it' };
  const { status, error } = item;
  // 409: something newer is there. 404 without an error: what was to be deleted is not there.
  if (status < 300 || status === 409 || (status === 404 && error === undefined)) return { kind: 'done' };
  const reason = `${error?.type ?? status}: ${error?.reason ?? ''}`.slice(0, 500);
  if (error?.type === 'index_not_found_exception') return { kind: 'again', reason, isIndexMissing: true };
  const mayPass = status === 429 || status >= 500;
  return mayPass ? { kind: 'again', reason } : { kind: 'never', reason };
}
