/**
 * One request through the proxies of its domain, and through another one when the first fails: a proxy's failure is
 * never the URL's.
 *
 * Where nobody can tell whose failure it is (a dropped connection, a tunnel that does not come to pass, no answer), the
 * next proxy is the judge: it gets through, and the first one has failed; three say the same, or all there are but not
 * only one, and it is the target's. A target that refuses (403, 429, a block page) may know one visitor and not the
 * other: it too is asked through others before its answer counts.
 *
 * Where there is only one to ask, it is asked once more. A tunnel that only it could not make is the target's failure
 * if the same proxy has reached the domain before, a few times in a row; else it is the proxy's.
 */
import { monotonicMs } from '../../platform/clock.ts';
import { type FetchPage, type FetchRequest, type FetchResult, headerValue } from '../fetch/fetch-result.ts';
import { retryAfterMs } from '../politeness/retry-after.ts';
import type { DomainExits, Pair } from './domain-exits.ts';
import { type ExitVerdict, judgeExit } from './judge-exit.ts';

/** Proxies that agree about a target. */
const WITNESSES = 3;
/** However many proxies there are, a URL waits for so many of them only. */
const MOST_TRIED = 8;
const LONGEST_REST_MS = 3_600_000;
/** Tunnels in a row that a single proxy could not make and that were taken for the target's fault. */
const MOST_BELIEVED = 3;

export interface ExitUse {
  readonly proxyId: number;
  /** What it says about the pair, and about the proxy as a whole. */
  readonly pair: 'success' | 'failure' | 'shared failure' | 'neither';
  readonly proxy: 'success' | 'failure' | 'neither';
  readonly durationMs: number;
  /** Why it failed. */
  readonly error: ExitError | undefined;
}

export interface ExitError {
  readonly url: string;
  readonly code: string;
  readonly message: string;
}

export interface ThroughParts {
  readonly exits: DomainExits;
  readonly fetch: FetchPage;
  /** By the clock that cooling times go by. */
  readonly nowMs: () => number;
  readonly note: (use: ExitUse) => void;
  /** Before the target is asked again; false: nothing is to be asked any more. */
  readonly pause: (ms: number) => Promise<boolean>;
}

interface Attempt {
  readonly pair: Pair;
  readonly url: string;
  readonly result: FetchResult;
  readonly verdict: ExitVerdict;
}

/** `first` has been taken (`DomainExits.take`) when the request was let through the gate. */
export async function fetchThrough(
  first: Pair,
  request: FetchRequest,
  parts: ThroughParts,
): Promise<FetchResult> {
  const { exits } = parts;
  const tried = new Set<Pair>();
  /** About whom nothing is said before it is known what others get. */
  const pending: Attempt[] = [];
  let pair = first;
  let hasAskedAgain = false;
  for (;;) {
    const attempt = await ask(pair, request, parts);
    const { result, verdict } = attempt;
    if (verdict === 'silent' || verdict === 'works') {
      // Others get through: whoever did not has failed.
      const isThere = verdict === 'works';
      for (const one of pending) finish(one, isThere ? whenOthersGetThrough(one) : 'silent', parts);
      finish(attempt, verdict, parts);
      return result;
    }
    tried.add(pair);
    if (verdict === 'broken') finish(attempt, verdict, parts);
    else pending.push(attempt);
    const witnesses = pending.filter((one) => one.verdict !== 'unaccepted');
    const mayAsk = witnesses.length < WITNESSES && tried.size < MOST_TRIED;
    let next = mayAsk ? takeNext(parts, tried) : undefined;
    if (next === undefined && witnesses.length === 1 && verdict === 'doubtful' && !hasAskedAgain) {
      // There is nobody else to ask: the same one once more. If it is gone, it was the proxy.
      hasAskedAgain = true;
      exits.end(pair);
      next = takeNext(parts, othersThan(pair, exits));
      exits.resume(pair);
    }
    if (next === undefined) return conclude(attempt, pending, hasAskedAgain, parts);
    pair = next;
    // What may have reached the target counts as a request to it.
    const mayHaveArrived = verdict !== 'broken' && verdict !== 'unaccepted' && !isTunnel(result);
    if (!(await parts.pause(mayHaveArrived ? (request.repeatDelayMs ?? 0) : 0))) {
      exits.end(pair);
      for (const one of pending) finish(one, 'silent', parts);
      return nobodyAsked('The fetch was called off.');
    }
  }
}

/** Nobody is left to be asked. Two who agree are believed; one alone is not. */
function conclude(
  last: Attempt,
  pending: readonly Attempt[],
  hasAskedAgain: boolean,
  parts: ThroughParts,
): FetchResult {
  const refusals = pending.filter(({ verdict }) => verdict === 'refused');
  const doubtful = pending.filter(({ verdict }) => verdict === 'doubtful');
  const isAlone = refusals.length + doubtful.length < 2 || (hasAskedAgain && isOfOne(doubtful));
  const isTargets = !isAlone || (last.verdict === 'doubtful' && isBelieved(last, hasAskedAgain));
  for (const one of doubtful) finish(one, isTargets ? 'silent' : 'broken', parts);
  for (const one of refusals) finish(one, 'refused', parts, refusals.length > 1);
  for (const one of pending) if (one.verdict === 'unaccepted') finish(one, 'unaccepted', parts);
  const refusal = refusals.at(-1);
  if (refusal !== undefined) return refusal.result;
  return isTargets ? asTargetFailure(last.result, doubtful.length) : nobodyElse(last.result);
}

function isOfOne(attempts: readonly Attempt[]): boolean {
  return new Set(attempts.map(({ pair }) => pair)).size === 1;
}

/** A single proxy says twice that it gets nothing from the target. Whether it still gets anything at all nobody knows. */
function isBelieved({ pair, result }: Attempt, hasAskedAgain: boolean): boolean {
  if (!hasAskedAgain) return false;
  if (!isTunnel(result)) return true;
  if (!pair.health.hasWorked || pair.believedCount >= MOST_BELIEVED) return false;
  pair.believedCount += 1;
  return true;
}

function whenOthersGetThrough({ verdict }: Attempt): ExitVerdict {
  return verdict === 'refused' ? 'refused' : 'broken';
}

async function ask(pair: Pair, request: FetchRequest, parts: ThroughParts): Promise<Attempt> {
  const { exits } = parts;
  const { endpoint, health } = pair.proxy;
  const { url } = request;
  const cookie = exits.cookies?.headerFor(endpoint.id, url);
  const result = await parts.fetch({ ...request, via: endpoint, cookie });
  if (result.kind !== 'failure') exits.cookies?.keep(endpoint.id, url, result.headers);
  const isForwarded = endpoint.protocol !== 'socks5' && url.startsWith('http:');
  const verdict = judgeExit(result, { isForwarded, hasWorked: health.hasWorked });
  return { pair, url, result, verdict };
}

function takeNext({ exits, nowMs }: ThroughParts, tried: ReadonlySet<Pair>): Pair | undefined {
  const atMs = nowMs();
  const choice = exits.choose(atMs, tried);
  if (choice.kind !== 'exit') return undefined;
  exits.take(choice.pair, atMs);
  return choice.pair;
}

function othersThan(pair: Pair, exits: DomainExits): ReadonlySet<Pair> {
  return new Set(exits.pairs.filter((one) => one !== pair));
}

function isTunnel(result: FetchResult): boolean {
  return result.kind === 'failure' && result.reason === 'proxy-tunnel';
}

/** Through none of them the target was reached. */
function asTargetFailure(result: FetchResult, count: number): FetchResult {
  if (result.kind !== 'failure' || result.reason !== 'proxy-tunnel') return result;
  const message = `It is not reached, asked ${count} times through proxies: ${result.message}`;
  return { ...result, reason: 'connect-failed', message };
}

/** The proxy has failed, and there is no other: the URL was never asked for, as far as anybody can tell. */
function nobodyElse(result: FetchResult): FetchResult {
  const message = result.kind === 'failure' ? result.message : 'The proxy failed.';
  return { ...nobodyAsked(message), proxyId: result.proxyId };
}

function nobodyAsked(message: string): Extract<FetchResult, { kind: 'failure' }> {
  const timing = { sentAtMs: monotonicMs(), headersAtMs: undefined, durationMs: 0 };
  return { kind: 'failure', reason: 'no-exit', message, status: undefined, timing };
}

/** The attempt is over, and what it says about the proxy is known. `isShared`: others were refused as well. */
function finish(attempt: Attempt, verdict: ExitVerdict, parts: ThroughParts, isShared = false): void {
  const { pair, url, result } = attempt;
  const { endpoint, health } = pair.proxy;
  const atMs = parts.nowMs();
  const meaning = MEANING[verdict];
  // A single proxy that makes no tunnel may be fine for everybody else.
  const isOnlyHere =
    verdict === 'broken' && isTunnel(result) && health.hasWorked && parts.exits.pairs.length === 1;
  const forProxy = isOnlyHere ? 'neither' : meaning.proxy;
  parts.exits.end(pair);
  if (meaning.pair === 'success') {
    pair.health.succeed();
    pair.believedCount = 0;
  } else if (meaning.pair === 'failure') {
    if (isShared) pair.health.failWithOthers();
    else pair.health.fail(atMs);
    pair.lastError = describe(url, result).message;
  }
  if (forProxy === 'success') health.succeed();
  if (forProxy === 'failure') health.fail(atMs);
  if (verdict === 'refused') {
    parts.exits.cookies?.forget(endpoint.id);
    pair.limitedUntilMs = Math.max(pair.limitedUntilMs, atMs + restMs(result, atMs));
  }
  // Nobody was asked, or nothing is to be said: but a request was made where there is an answer.
  if (attempt.verdict === 'silent') return;
  parts.note({
    proxyId: endpoint.id,
    pair: meaning.pair === 'failure' && isShared ? 'shared failure' : meaning.pair,
    proxy: forProxy,
    durationMs: result.timing.durationMs,
    error: meaning.pair === 'failure' ? describe(url, result) : undefined,
  });
}

const MEANING: Readonly<Record<ExitVerdict, { readonly pair: Told; readonly proxy: Told }>> = {
  works: { pair: 'success', proxy: 'success' },
  // The proxy has brought an answer: towards others it is as good as before.
  refused: { pair: 'failure', proxy: 'success' },
  broken: { pair: 'failure', proxy: 'failure' },
  unaccepted: { pair: 'failure', proxy: 'neither' },
  doubtful: { pair: 'neither', proxy: 'neither' },
  silent: { pair: 'neither', proxy: 'neither' },
};

type Told = 'success' | 'failure' | 'neither';

/** How long the target has asked this visitor to stay away. */
function restMs(result: FetchResult, nowMs: number): number {
  if (result.kind !== 'response' || result.status !== 429) return 0;
  const asked = retryAfterMs(headerValue(result.headers, 'retry-after'), new Date(nowMs));
  return Math.min(LONGEST_REST_MS, asked ?? 0);
}

function describe(url: string, result: FetchResult): ExitError {
  if (result.kind === 'failure') return { url, code: result.reason, message: result.message };
  const code = result.status === 429 ? 'throttled' : 'refused';
  return { url, code, message: `The target answered ${result.status} to this proxy.` };
}
