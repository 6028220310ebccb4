/** What the engine tells whoever listens: a closed, typed map. Displays and logs subscribe; nothing waits. */
import type { Outcome } from './outcome.ts';

export interface EngineEventMap {
  'worker:started': Record<string, never>;
  'domain:claimed': { domain: string };
  'domain:released': { domain: string; status: string; code: string | undefined; reason: string | undefined };
  'claim:lost': { domain: string };
  'claim:waiting': { domains: number };
  'domains:handed-over': { domains: number };
  'domains:resting': { domains: number; restMs: number };
  'robots:read': { domain: string; origin: string; access: string; note: string | undefined };
  'robots:delay-capped': { domain: string; askedSeconds: number; usedSeconds: number };
  'sitemap:read': { domain: string; url: string; urlsCount: number; note: string | undefined };
  'url:visited': { domain: string; url: string; outcome: Outcome; bytes: number; isPage: boolean };
  'batch:committed': { visits: number; added: number };
  /** Tasks whose bodies wait for a parser from now on. */
  /** Somebody has paused, cancelled or taken away what waited in this worker's hands. */
  'tasks:dropped': { domain: string; tasks: number };
  'tasks:left-to-parsers': {
    tasks: readonly { readonly id: number; readonly domainId: number; readonly priority: number }[];
  };
  'tasks:parsed': { completed: number; retried: number; failed: number; lost: number };
  'parser:failed': { message: string; error: unknown };
  /** This machine had no socket to spare: sites are asked again in a moment. Told once a minute at most. */
  'sockets:short': { message: string };
  'database:lost': { message: string };
  /** Its password cannot be opened: it cannot be used. */
  'proxy:sealed': { proxy: string; message: string };
  'database:back': Record<string, never>;
}

type Listener<E extends keyof EngineEventMap> = (event: EngineEventMap[E]) => void;

export class EngineEvents {
  readonly #listeners = new Map<keyof EngineEventMap, Set<Listener<never>>>();

  on<E extends keyof EngineEventMap>(name: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as Listener<never>);
    return () => listeners.delete(listener as Listener<never>);
  }

  emit<E extends keyof EngineEventMap>(name: E, event: EngineEventMap[E]): void {
    for (const listener of this.#listeners.get(name) ?? []) (listener as Listener<E>)(event);
  }
}
