/**
 * One request through the proxies of its domain, and through another one when the first fails: a proxy's failure is
 * never the URL's.
 *
 * Where nobody can tell whose failure it is (a dropped connection, a tunnel that does not come to pass, no answer), the
 * next proxy is the judge: it gets through, and the first one has failed; three say the same, or all there are but not
 * only one, and it is the target's. A target that refuses (403, 429, a block page) may know one visitor and not the
 * other: it too is asked through others before its answer counts.
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

export interface ExitUse {
  readonly proxyId: number;
  /** What it says about the pair, and about the proxy as a whole. */
  readonly pair: 'success' | 'failure' | 'neither';
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
  const doubtful: Attempt[] = [];
  let refusal: Attempt | undefined;
  let refusalsCount = 0;
  let hasAskedAgain = false;
  let pair = first;
  for (;;) {
    const attempt = await ask(pair, request, parts);
    const { result, verdict } = attempt;
    if (verdict === 'silent') return result;
    if (verdict !== 'doubtful') note(attempt, verdict, parts);
    if (verdict === 'works') {
      // Others get through: whoever did not has failed.
      for (const one of doubtful) note(one, 'broken', parts);
      return result;
    }
    tried.add(pair);
    if (verdict === 'doubtful') doubtful.push(attempt);
    if (verdict === 'refused') {
      refusal = attempt;
      refusalsCount += 1;
    }
    const agreeing = doubtful.length + refusalsCount;
    const mayAsk = agreeing < WITNESSES && tried.size < MOST_TRIED;
    let next = mayAsk ? takeNext(parts, tried) : undefined;
    if (next === undefined && agreeing < 2 && verdict === 'doubtful' && !isTunnel(result) && !hasAskedAgain) {
      // There is nobody else to ask: the same one once more. If it is gone, it was the proxy.
      hasAskedAgain = true;
      next = takeNext(parts, othersThan(pair, exits));
    }
    if (next === undefined) {
      // Two who agree: it is the target's doing, and says nothing about them. One alone is not believed.
      const isTargets = agreeing >= 2;
      for (const one of doubtful) note(one, isTargets ? 'silent' : 'broken', parts);
      if (refusal !== undefined) return refusal.result;
      return isTargets ? asTargetFailure(result, doubtful.length) : nobodyElse(result);
    }
    pair = next;
    // What may have reached the target counts as a request to it.
    const mayHaveArrived = verdict !== 'broken' && !isTunnel(result);
    if (!(await parts.pause(mayHaveArrived ? (request.repeatDelayMs ?? 0) : 0))) {
      exits.end(pair);
      for (const one of doubtful) note(one, 'silent', parts);
      return nobodyAsked('The fetch was called off.');
    }
  }
}

async function ask(pair: Pair, request: FetchRequest, parts: ThroughParts): Promise<Attempt> {
  const { exits } = parts;
  const { endpoint } = pair.proxy;
  const { url } = request;
  const cookie = exits.cookies?.headerFor(endpoint.id, url);
  const result = await parts.fetch({ ...request, via: endpoint, cookie });
  exits.end(pair);
  if (result.kind !== 'failure') exits.cookies?.keep(endpoint.id, url, result.headers);
  return { pair, url, result, verdict: judgeExit(result) };
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
  const message = `${count} proxies cannot reach it: ${result.message}`;
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

function note({ pair, url, result }: Attempt, verdict: ExitVerdict, parts: ThroughParts): void {
  const { endpoint, health } = pair.proxy;
  const atMs = parts.nowMs();
  const { pair: forPair, proxy: forProxy } = MEANING[verdict];
  if (forPair === 'success') pair.health.succeed();
  if (forPair === 'failure') pair.health.fail(atMs);
  if (forProxy === 'success') health.succeed();
  if (forProxy === 'failure') health.fail(atMs);
  if (verdict === 'refused') {
    parts.exits.cookies?.forget(endpoint.id);
    pair.limitedUntilMs = Math.max(pair.limitedUntilMs, atMs + restMs(result, atMs));
  }
  parts.note({
    proxyId: endpoint.id,
    pair: forPair,
    proxy: forProxy,
    durationMs: result.timing.durationMs,
    error: forPair === 'failure' ? describe(url, result) : undefined,
  });
}

const MEANING: Readonly<Record<ExitVerdict, Pick<ExitUse, 'pair' | 'proxy'>>> = {
  works: { pair: 'success', proxy: 'success' },
  // The proxy has brought an answer: towards others it is as good as before.
  refused: { pair: 'failure', proxy: 'success' },
  broken: { pair: 'failure', proxy: 'failure' },
  doubtful: { pair: 'neither', proxy: 'neither' },
  silent: { pair: 'neither', proxy: 'neither' },
};

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
