/**
 * Names to addresses, on c-ares with a cache of our own: `dns.lookup` would occupy libuv's few threads and
 * forgets every answer. The addresses given here are both what the address guard vets and what the socket
 * connects to, so a name that changes its answer in between (DNS rebinding) gains nothing.
 */
import { Resolver as CaresResolver, lookup } from 'node:dns/promises';
import { open } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { devNull } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import { isShortage } from './fetch-failure.ts';
import { openHostsFile } from './hosts-file.ts';

export type NameAnswer =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** There was no socket to ask with. */
  | { readonly kind: 'no-socket'; readonly code: string };

export interface Resolver {
  /** Never rejects. Addresses come in the order in which to try them. */
  resolve(hostname: string): Promise<NameAnswer>;
  close(): void;
}

export interface ResolverOptions {
  /** Name servers to ask, `address` or `address:port`; the system's own when left out. */
  readonly servers?: readonly string[];
  readonly hostsPath?: string;
  readonly maxEntries?: number;
  readonly nowMs?: () => number;
}

interface Found {
  readonly answer: NameAnswer;
  readonly ttlMs: number;
  /** c-ares had no server it could reach, which says nothing about the name. */
  readonly hasNoServer?: boolean;
}

const MIN_TTL_MS = 30_000;
const MAX_TTL_MS = 3_600_000;
const NOT_FOUND_TTL_MS = 30_000;
/** A server that failed may be back in a moment; this only keeps a burst of requests from asking again. */
const FAILED_TTL_MS = 5_000;
/** RFC 8305 §3: how long to wait for the other family once one has answered. */
const OTHER_FAMILY_WAIT_MS = 50;
const SYSTEM_HOSTS_PATH =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

export function createResolver(options: ResolverOptions = {}): Resolver {
  const nowMs = options.nowMs ?? monotonicMs;
  const maxEntries = options.maxEntries ?? 10_000;
  const hosts = openHostsFile({ path: options.hostsPath ?? SYSTEM_HOSTS_PATH, nowMs });
  const cares = new CaresResolver({ timeout: 2_000, tries: 3 });
  if (options.servers) cares.setServers(options.servers);

  const cache = new Map<string, { readonly answer: NameAnswer; readonly expiresAtMs: number }>();
  const inFlight = new Map<string, Promise<NameAnswer>>();

  async function find(name: string): Promise<Found> {
    const listed = await hosts.addressesOf(name);
    // Not cached: the file's reader already is a cache, and notices edits.
    if (listed.length > 0) return { answer: addressAnswer(listed), ttlMs: 0 };
    // RFC 6761 §6.3: these names mean this machine, whatever a name server says.
    if (name === 'localhost' || name.endsWith('.localhost')) {
      return { answer: addressAnswer(['127.0.0.1', '::1']), ttlMs: MAX_TTL_MS };
    }
    const found = await queryServers(cares, name);
    if (found.answer.kind === 'addresses' || !isWorthAskingSystem(name, found)) return found;
    const answer = (await askSystem(name)) ?? found;
    const shortage = answer.hasNoServer === true ? await findShortage() : undefined;
    return shortage === undefined ? answer : { answer: { kind: 'no-socket', code: shortage }, ttlMs: 0 };
  }

  async function resolveUncached(name: string): Promise<NameAnswer> {
    const { answer, ttlMs } = await find(name);
    inFlight.delete(name);
    cache.delete(name);
    if (ttlMs > 0) cache.set(name, { answer, expiresAtMs: nowMs() + ttlMs });
    if (cache.size > maxEntries) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    return answer;
  }

  return {
    resolve(hostname) {
      const name = hostname.toLowerCase().replace(/\.$/, '');
      const cached = cache.get(name);
      if (cached && cached.expiresAtMs > nowMs()) {
        // Re-inserting keeps the map in order of use, so that the first key is the one to drop.
        cache.delete(name);
        cache.set(name, cached);
        return Promise.resolve(cached.answer);
      }
      let pending = inFlight.get(name);
      if (!pending) {
        pending = resolveUncached(name);
        inFlight.set(name, pending);
      }
      return pending;
    },
    close() {
      cares.cancel();
      cache.clear();
    },
  };
}

interface FamilyAnswer {
  readonly records: readonly { readonly address: string; readonly ttl: number }[];
  readonly errorCode: string | undefined;
}

async function queryServers(cares: CaresResolver, name: string): Promise<Found> {
  const ipv4Query = settle(cares.resolve4(name, { ttl: true }));
  const ipv6Query = settle(cares.resolve6(name, { ttl: true }));
  const ipv4 = await ipv4Query;
  // Some name servers never answer for IPv6: once IPv4 is known, that must not hold the crawl up.
  const noAnswer: FamilyAnswer = { records: [], errorCode: undefined };
  const ipv6 =
    ipv4.records.length > 0
      ? await Promise.race([ipv6Query, wait(OTHER_FAMILY_WAIT_MS, noAnswer, { ref: false })])
      : await ipv6Query;

  const records = [...ipv4.records, ...ipv6.records];
  if (records.length > 0) {
    const shortestMs = Math.min(...records.map((record) => record.ttl)) * 1000;
    const ttlMs = Math.min(Math.max(shortestMs, MIN_TTL_MS), MAX_TTL_MS);
    return { answer: addressAnswer(records.map((record) => record.address)), ttlMs };
  }
  const failedCode = [ipv4.errorCode, ipv6.errorCode].find((code) => code && !isAbsence(code));
  if (failedCode) {
    const message = `The name servers gave no answer for ${name} (${failedCode}).`;
    const hasNoServer = failedCode === 'ECONNREFUSED';
    return { answer: { kind: 'failed', message }, ttlMs: FAILED_TTL_MS, hasNoServer };
  }
  const message = `The name ${name} has no address.`;
  return { answer: { kind: 'not-found', message }, ttlMs: NOT_FOUND_TTL_MS };
}

async function settle(query: Promise<FamilyAnswer['records']>): Promise<FamilyAnswer> {
  try {
    return { records: await query, errorCode: undefined };
  } catch (error) {
    return { records: [], errorCode: codeOf(error) };
  }
}

/** The name does not exist, has no record of this kind, or is no name at all. */
function isAbsence(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME' || code === 'EBADQUERY';
}

/**
 * The system may know more than name servers do: short names and .local by its own means, any name where
 * c-ares found no server to ask (VPNs and some desktops keep theirs elsewhere).
 */
function isWorthAskingSystem(name: string, found: Found): boolean {
  return !name.includes('.') || name.endsWith('.local') || found.hasNoServer === true;
}

async function askSystem(name: string): Promise<Found | undefined> {
  try {
    const found = await lookup(name, { all: true });
    if (found.length === 0) return undefined;
    return { answer: addressAnswer(found.map((entry) => entry.address)), ttlMs: MIN_TTL_MS };
  } catch {
    return undefined;
  }
}

/**
 * c-ares says "no server" also when it could not open a socket. Whoever cannot open a file at that moment either has
 * the reason.
 */
async function findShortage(): Promise<string | undefined> {
  try {
    const file = await open(devNull);
    await file.close();
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    return isShortage(code) ? code : undefined;
  }
}

/** IPv4 first, the families taking turns, so that one broken family costs at most every other attempt. */
function addressAnswer(addresses: readonly string[]): NameAnswer {
  const unique = [...new Set(addresses)];
  const ipv4 = unique.filter((address) => isIPv4(address));
  const ipv6 = unique.filter((address) => !isIPv4(address));
  const ordered: string[] = [];
  for (let i = 0; i < Math.max(ipv4.length, ipv6.length); i++) {
    ordered.push(...ipv4.slice(i, i + 1), ...ipv6.slice(i, i + 1));
  }
  return { kind: 'addresses', addresses: ordered };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
}
