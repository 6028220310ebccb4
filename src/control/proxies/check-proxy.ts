/**
 * Reaching out through a proxy, the way a crawl would: with the same fetcher, and under the same guard for what is
 * asked for and for where the proxy is. A check is only told about: it switches nothing on, and counts for nothing.
 */
import { createHash } from 'node:crypto';
import type { ProxyProtocol } from '../../contract/proxies.ts';
import type { FetchResult } from '../../engine/fetch/fetch-result.ts';
import { createFetcher, type Fetcher } from '../../engine/fetch/fetcher.ts';
import type { ProxyEndpoint } from '../../engine/fetch/proxy-endpoint.ts';
import { findHostProblem, findPrivateHost, findTextProblem } from '../../engine/frontier/seed-problems.ts';
import { now } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { readExitAddress } from './exit-address.ts';
import { PASSWORD_PURPOSE, unknownProxy } from './proxy.ts';

const readEndpointSql = loadSql(import.meta.url, './read-endpoint.sql');
const recordCheck = loadSql(import.meta.url, './record-check.sql');

const CONNECT_TIMEOUT_MS = 10_000;
/** Somebody waits for it. */
const LONGEST_CHECK_MS = 15_000;
const MOST_BYTES = 64 * 1024;
/** What proxies answer with themselves, to a request that is not in a tunnel. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([402, 502, 503, 504]);

export type CheckSettings = Pick<
  Config,
  'allowPrivate' | 'privateProxies' | 'requestTimeoutMs' | 'userAgent' | 'proxyCheckUrl'
>;

export interface CheckTools {
  readonly settings: CheckSettings;
  readonly fetcher: Fetcher;
  readonly box: SecretBox;
}

export interface ProxyCheck {
  readonly proxyId: number;
  readonly ok: boolean;
  readonly url: string;
  readonly address: string | null;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly checkedAt: Date;
  readonly note: string;
}

interface EndpointRow {
  readonly id: number;
  readonly protocol: ProxyProtocol;
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: Buffer | null;
  readonly isActive: boolean;
  readonly disabledBy: string | null;
}

export function openCheckFetcher({ allowPrivate, privateProxies, requestTimeoutMs }: CheckSettings): Fetcher {
  return createFetcher({
    allowPrivate,
    allowPrivateProxies: allowPrivate || privateProxies,
    maxConnectionsPerOrigin: 1,
    // Every check makes its own connection; none is kept for another.
    maxOrigins: 64,
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, requestTimeoutMs),
  });
}

/** `givenUrl`: what to ask for instead of what the settings say. */
export async function checkProxy(
  db: Database,
  id: number,
  givenUrl: string | undefined,
  { settings, fetcher, box }: CheckTools,
  actor: Actor,
  signal?: AbortSignal,
): Promise<ProxyCheck> {
  const url = readCheckUrl(givenUrl ?? settings.proxyCheckUrl, settings.allowPrivate);
  const [row] = (await db.query<EndpointRow>(readEndpointSql, [id])).rows;
  if (row === undefined) throw unknownProxy(id);
  const result = await fetcher.fetch({
    ...{ url, userAgent: settings.userAgent, via: toEndpoint(row, box), accept: 'any', signal },
    ...{ maxBodyBytes: MOST_BYTES, onOversize: 'truncate' },
    timeoutMs: Math.min(LONGEST_CHECK_MS, settings.requestTimeoutMs),
  });
  const outcome = judge(result, isTunnel(row, url));
  const checkedAt = await inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ checkedAt: Date }>(recordCheck, [id, outcome.address]);
    const { ok, error } = outcome;
    const details = { ok, error: error?.code, asked: new URL(url).origin };
    await recordAct(tx, actor, 'proxy.check', String(id), details);
    return rows[0]?.checkedAt ?? now();
  });
  return { proxyId: id, url, ...outcome, checkedAt, note: describeUse(row, outcome.ok) };
}

function toEndpoint(
  { id, protocol, host, port, username, password }: EndpointRow,
  box: SecretBox,
): ProxyEndpoint {
  const opened = password === null ? undefined : box.open(password, PASSWORD_PURPOSE);
  const parts = JSON.stringify([id, protocol, host, port, username, opened]);
  return {
    ...{ id, protocol, host, port, username: username ?? undefined, password: opened },
    key: `check:${createHash('sha256').update(parts).digest('base64url')}`,
  };
}

type Outcome = Pick<ProxyCheck, 'ok' | 'address' | 'latencyMs' | 'httpStatus' | 'error'>;

/** Whether the answer can be of nobody but the site. */
function isTunnel({ protocol }: EndpointRow, url: string): boolean {
  return protocol === 'socks5' || url.startsWith('https:');
}

function judge(result: FetchResult, isOfSite: boolean): Outcome {
  const latencyMs = Math.max(0, Math.round(result.timing.durationMs));
  const none = { ok: false, address: null, latencyMs };
  if (result.kind === 'failure') {
    const { reason: code, message, status } = result;
    return { ...none, httpStatus: status ?? null, error: { code, message } };
  }
  const { status: httpStatus } = result;
  if (result.kind === 'response' && httpStatus >= 200 && httpStatus < 300) {
    const address = readExitAddress(result.body.toString('utf8')) ?? null;
    return { ok: true, address, latencyMs, httpStatus, error: null };
  }
  const message =
    isOfSite || !GATEWAY_ERRORS.has(httpStatus)
      ? `What was asked for answered with ${httpStatus}; the proxy itself let it through.`
      : `The answer is ${httpStatus}: of the proxy, which did not get there, or of what was asked for.`;
  return { ...none, httpStatus, error: { code: 'http-status', message } };
}

/** Nobody should believe that a good check has brought a proxy back. */
function describeUse({ isActive, disabledBy }: EndpointRow, ok: boolean): string {
  if (isActive) {
    return ok
      ? 'It is in use. A check counts as no success.'
      : 'It is still in use: a check counts as no failure, only requests of crawls do.';
  }
  if (disabledBy !== 'failures')
    return `It stays switched off (by ${disabledBy ?? 'somebody'}): a check enables nothing.`;
  return 'It is still out for its failures: a check enables nothing. It is tried again by itself, or enabled by a person.';
}

const PRIVATE =
  'it is on a loopback, private or reserved address, and these are asked only where FORAGER_ALLOW_PRIVATE allows it';

export function readCheckUrl(text: string, allowPrivate: boolean): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const reason =
    findTextProblem(trimmed, false) ??
    (/^https?:\/\//i.test(trimmed) ? undefined : 'it must begin with https:// or http://') ??
    (url === undefined ? 'it cannot be read' : findHostProblem(url, trimmed)) ??
    (url === undefined || allowPrivate || findPrivateHost(url.href) === undefined ? undefined : PRIVATE);
  if (url !== undefined && reason === undefined) return url.href;
  throw new ForagerError(
    'bad-url',
    `${JSON.stringify(hideUserinfo(trimmed).slice(0, 200))} cannot be asked for through a proxy: ${reason}.`,
    { hint: 'give an address such as https://api.ipify.org/' },
  );
}
