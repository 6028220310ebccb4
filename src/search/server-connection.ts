/** A search server that may come and go: connected to when it is needed, and again when it was away. */
import { monotonicMs } from '../platform/clock.ts';
import { elasticEngine } from './elastic/elastic-engine.ts';
import type { SearchTransport } from './elastic/transport.ts';
import type { SearchEngine } from './search-engine.ts';
import { SearchServerError } from './search-server-error.ts';

/** A server that did not answer is left alone for this long: searches must not wait for it one by one. */
const REST_MS = 5000;

export class ServerConnection {
  readonly #url: string;
  readonly #prefix: string;
  #transport: Promise<SearchTransport> | undefined;
  #kind: SearchEngine['kind'] = 'elasticsearch';
  #failed: { readonly error: SearchServerError; readonly untilMs: number } | undefined;

  constructor(url: string, prefix: string) {
    this.#url = url;
    this.#prefix = prefix;
  }

  /** Throws a SearchServerError when it does not answer. */
  async open(): Promise<SearchTransport> {
    if (this.#failed !== undefined && monotonicMs() < this.#failed.untilMs) throw this.#failed.error;
    this.#transport ??= this.#connect();
    return this.#transport;
  }

  /** Once it answers again it may be another, of another make. */
  async #connect(): Promise<SearchTransport> {
    try {
      // Most processes never need it.
      const { connectToServer } = await import('./elastic/transport.ts');
      const transport = await connectToServer(this.#url);
      this.#failed = undefined;
      this.#kind = transport.kind;
      return transport;
    } catch (error) {
      this.#transport = undefined;
      throw this.#rest(error);
    }
  }

  #rest(error: unknown): unknown {
    if (error instanceof SearchServerError && (error.status === undefined || error.status >= 500)) {
      this.#failed = { error, untilMs: monotonicMs() + REST_MS };
    }
    return error;
  }

  /** As an engine; which of the two makes it is turns out with the first answer. */
  get engine(): SearchEngine {
    const ask = async <T>(work: (engine: SearchEngine) => Promise<T>): Promise<T> => {
      const transport = await this.open();
      try {
        return await work(elasticEngine(transport, this.#prefix));
      } catch (error) {
        throw this.#rest(error);
      }
    };
    const kind = (): SearchEngine['kind'] => this.#kind;
    return {
      get kind() {
        return kind();
      },
      searchProducts: (search) => ask((engine) => engine.searchProducts(search)),
      searchPages: (search) => ask((engine) => engine.searchPages(search)),
    };
  }

  async close(): Promise<void> {
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.close().catch(() => undefined);
  }
}
