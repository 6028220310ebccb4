import { ConnectionPool } from './connection-pool.ts';
import type { SocketOpener, Target } from './open-socket.ts';

export interface PoolDirectoryOptions {
  readonly opener: SocketOpener;
  readonly maxConnectionsPerOrigin: number;
  readonly maxOrigins: number;
}

/**
 * The pools of all origins, in order of use. A crawl meets origins without end, so beyond `maxOrigins` the
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

  poolFor(origin: string, target: () => Target): ConnectionPool {
    const known = this.#pools.get(origin);
    if (known) {
      this.#pools.delete(origin);
      this.#pools.set(origin, known);
      return known;
    }
    const pool: ConnectionPool = new ConnectionPool({
      origin,
      target: target(),
      opener: this.#options.opener,
      maxConnections: this.#options.maxConnectionsPerOrigin,
      onEmpty: () => {
        if (this.#pools.get(origin) === pool) this.#pools.delete(origin);
      },
    });
    this.#pools.set(origin, pool);
    if (this.#pools.size > this.#options.maxOrigins) this.#evictIdle(pool);
    return pool;
  }

  close(): void {
    for (const pool of [...this.#pools.values()]) pool.close();
    this.#pools.clear();
  }

  #evictIdle(newest: ConnectionPool): void {
    for (const [origin, pool] of this.#pools) {
      if (this.#pools.size <= this.#options.maxOrigins) return;
      if (pool === newest || !pool.isIdle) continue;
      this.#pools.delete(origin);
      pool.close();
    }
  }
}
