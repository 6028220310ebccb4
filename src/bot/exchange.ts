/** One request until it is answered: what fails in a way that may pass is sent again, the same every time. */
import { setTimeout as waitMs } from 'node:timers/promises';
import { now } from '../platform/clock.ts';
import { BotError } from './bot-error.ts';

export interface ExchangeSettings {
  readonly baseUrl: URL;
  readonly apiKey: string;
  /** How often a request is sent at most. */
  readonly attempts: number;
  /** The longest pause between two of them: a server that asks for more is left alone, and the caller is told. */
  readonly longestPauseMs: number;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

const FIRST_PAUSE_MS = 500;

export async function exchange<T>(
  settings: ExchangeSettings,
  path: string,
  body: object,
  options: { readonly signal?: AbortSignal | undefined; readonly extraMs?: number } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    options.signal?.throwIfAborted();
    const outcome = await send(settings, path, body, options);
    if (!(outcome instanceof BotError)) return outcome as T;
    const askedMs = (outcome.retryAfterSeconds ?? 0) * 1000;
    const isWorthwhile = outcome.isTransient && attempt < settings.attempts;
    if (!isWorthwhile || askedMs > settings.longestPauseMs) throw outcome;
    // Half of it by chance: bots that were turned away together do not come back together.
    const backoffMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    await waitMs(Math.max(askedMs, Math.min(backoffMs, settings.longestPauseMs)), undefined, {
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }
}

async function send(
  settings: ExchangeSettings,
  path: string,
  body: object,
  { signal, extraMs = 0 }: { readonly signal?: AbortSignal | undefined; readonly extraMs?: number },
): Promise<unknown> {
  const timeout = AbortSignal.timeout(settings.timeoutMs + extraMs);
  // Whoever stops while the answer is coming in still hears it: there may be jobs in it.
  const hangUp = new AbortController();
  const stop = (): void => hangUp.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const response = await settings.fetch(new URL(path, settings.baseUrl), {
      method: 'POST',
      // The key is for this server, and for no other that it may point to.
      redirect: 'error',
      headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([hangUp.signal, timeout]),
    });
    signal?.removeEventListener('abort', stop);
    return readAnswer(response, await response.text());
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    return new BotError('unreachable', `${settings.baseUrl.origin} cannot be reached.`, { cause: error });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The data of a success; the error otherwise. */
function readAnswer(response: Response, text: string): unknown {
  const answer = parseObject(text);
  if (response.ok && answer?.success === true) return answer.data;
  const { status } = response;
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'));
  if (typeof answer?.code !== 'string') {
    const facts = { status: response.ok ? undefined : status, retryAfterSeconds };
    return new BotError('bad-answer', `The server has answered ${status} with something else.`, facts);
  }
  return new BotError(answer.code, String(answer.detail ?? answer.title ?? answer.code), {
    ...{ status, retryAfterSeconds },
    hint: typeof answer.hint === 'string' ? answer.hint : undefined,
    fields: Array.isArray(answer.errors) ? answer.errors : undefined,
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now().getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
