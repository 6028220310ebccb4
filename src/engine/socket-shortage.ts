/**
 * This machine has no socket to give (too many open files, no memory, no port left): no fault of the site that was to
 * be asked. Its domain waits a moment and the same is tried again, as often as it takes.
 */
import { monotonicMs } from '../platform/clock.ts';
import type { DomainSession } from './domain-session.ts';
import type { EngineEvents } from './events.ts';

const PAUSE_MS = 2000;
const TELL_EVERY_MS = 60_000;

export class SocketShortage {
  readonly #events: EngineEvents;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  constructor(events: EngineEvents) {
    this.#events = events;
  }

  note(session: DomainSession, message: string): void {
    const nowMs = monotonicMs();
    session.gate.hold(nowMs + PAUSE_MS);
    // What could not be asked for is still due.
    session.isDry = false;
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    this.#events.emit('sockets:short', { message });
  }
}
