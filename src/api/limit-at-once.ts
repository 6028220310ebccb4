/**
 * How many requests of one account, or of one network that has not said who it is, are worked on at the same time: one
 * reader that asks for much must not have all connections to the database. A page that asks for a dozen things at once
 * need not know: what finds no place waits for one, first come first served, a while. Whoever hangs up keeps the place
 * until the work is done, or hanging up would be a way to ask for more; whoever hangs up while waiting is passed over.
 */
import type { Role } from '../contract/access.ts';
import type { Principal } from '../control/access/principal.ts';
import { networkOf } from './client-address.ts';
import { Refusal } from './refusal.ts';

export type AtOnce = Readonly<Record<Role, number>>;

/** How many of one owner may wait for a place, and how long. */
export interface Waiting {
  readonly most: number;
  readonly ms: number;
}

export interface Sender {
  readonly principal: Principal;
  readonly address: string;
  /** The connection it came by. */
  readonly socket: { readonly destroyed: boolean };
}

interface Waiter {
  readonly sender: Sender;
  enter(): void;
}

interface Places {
  taken: number;
  readonly waiters: Set<Waiter>;
}

export class PlacesAtOnce {
  readonly #most: AtOnce;
  readonly #waiting: Waiting;
  /** Those who have none are not remembered. */
  readonly #owners = new Map<string, Places>();

  constructor(most: AtOnce, waiting: Waiting) {
    this.#most = most;
    this.#waiting = waiting;
  }

  /** How many have something under way. */
  get size(): number {
    return this.#owners.size;
  }

  async run<T>(sender: Sender, work: () => Promise<T>): Promise<T> {
    const owner = sender.principal.account ?? `address:${networkOf(sender.address)}`;
    const places = this.#owners.get(owner) ?? { taken: 0, waiters: new Set() };
    this.#owners.set(owner, places);
    if (places.taken < this.#most[sender.principal.role]) places.taken += 1;
    else await this.#waitFor(places, sender);
    try {
      return await work();
    } finally {
      this.#leave(owner, places);
    }
  }

  /** Resolved with a place that somebody has left. */
  #waitFor({ waiters }: Places, sender: Sender): Promise<void> {
    if (waiters.size >= this.#waiting.most) return Promise.reject(this.#tooMany(sender));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(this.#tooMany(sender));
      }, this.#waiting.ms);
      const waiter: Waiter = {
        sender,
        enter: () => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve();
        },
      };
      waiters.add(waiter);
    });
  }

  #leave(owner: string, places: Places): void {
    for (const waiter of places.waiters) {
      // Nobody is there to be answered; its time runs out by itself.
      if (waiter.sender.socket.destroyed) continue;
      waiter.enter();
      return;
    }
    places.taken -= 1;
    if (places.taken === 0) this.#owners.delete(owner);
  }

  #tooMany({ principal: { kind, role } }: Sender): Refusal {
    const whose = kind === 'anonymous' ? 'this address' : 'this account';
    return new Refusal(
      'too-many-at-once',
      `${this.#most[role]} requests of ${whose} are being worked on, and others wait already.`,
      {
        hint: 'wait for an answer before asking for the next',
        headers: { 'retry-after': '1' },
      },
    );
  }
}
