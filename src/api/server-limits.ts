import { ACCESS_LIMITS, type AccessLimits } from './access-limits.ts';
import { connectionsPerNetwork, connectionsWithin, readOpenFilesLimit } from './connection-limits.ts';

/** What a client may cost before anybody has looked at what it wants. */
export interface ServerLimits extends AccessLimits {
  /** Of a body; a route may have its own. */
  readonly bodyBytes: number;
  /** Most header lines of a request; together they have 16 kB. */
  readonly headersCount: number;
  /** A client that sends its request drop by drop is not waited for. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often is looked for such clients. */
  readonly checkEveryMs: number;
  /** How long a connection is kept for the next request. */
  readonly keepAliveMs: number;
  /** How long a client may take nothing of its answer. Live events are sent more often than this. */
  readonly stalledMs: number;
  readonly connections: number;
  /** Of one address, or one IPv6 network of the size that one customer gets; proxies that are trusted have none. */
  readonly connectionsPerNetwork: number;
}

const connections = connectionsWithin(readOpenFilesLimit());

export const SERVER_LIMITS: ServerLimits = {
  ...ACCESS_LIMITS,
  bodyBytes: 1024 * 1024,
  headersCount: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 2000,
  keepAliveMs: 30_000,
  stalledMs: 120_000,
  connections,
  connectionsPerNetwork: connectionsPerNetwork(connections),
};
