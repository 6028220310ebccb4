import { ConnectionPool } from './connection-pool.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import type { SocketOpener, Target } from './socket-opening.ts';

export interface PoolDirectoryOptions {
  readonly opener: SocketOpener;
  readonly maxConnectionsPerOrigin: number;
  readonly maxOrigins: number;
}

/**
 * The pools of all origins and ways to them, in order of use. A crawl meets origins without end, so beyond `maxOrigins` the
 * least recently used idle pool is closed; a pool whose last connection ended removes itself.
 */
export class PoolDirectory {
  readonly #options: PoolDirectoryOptions;
  readonly #pools = new Map<string, ConnectionPool>();

  constructor(options: PoolDirectoryOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pools.size;
  }

  poolFor(origin: string, via: ProxyEndpoint | undefined, target: () => Target): ConnectionPool {
    const key = via === undefined ? origin : `${origin} ${via.key}`;
    const known = this.#pools.get(key);
    if (known) {
      this.#pools.delete(key);
      this.#pools.set(key, known);
      return known;
    }
    const pool: ConnectionPool = new ConnectionPool({
      origin,
      via,
      target: target(),
      opener: this.#options.opener,
      maxConnections: this.#options.maxConnectionsPerOrigin,
      onEmpty: () => {
        if (this.#pools.get(key) === pool) this.#pools.delete(key);
      },
    });
    this.#pools.set(key, pool);
    if (this.#pools.size > this.#options.maxOrigins) this.#evictIdle(pool);
    return pool;
  }

  close(): void {
    for (const pool of [...this.#pools.values()]) pool.close();
    this.#pools.clear();
  }

  #evictIdle(newest: ConnectionPool): void {
    for (const [key, pool] of this.#pools) {
      if (this.#pools.size <= this.#options.maxOrigins) return;
      if (pool === newest || !pool.isIdle) continue;
      this.#pools.delete(key);
      pool.close();
    }
  }
}
