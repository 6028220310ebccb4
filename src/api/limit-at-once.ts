/**
 * How many requests of one account, or of one network that has not said who it is, are worked on at the same time: one
 * reader that asks for much must not have all connections to the database. Whoever hangs up keeps the place until the
 * work is done, or hanging up would be a way to ask for more.
 */
import type { Role } from '../contract/access.ts';
import type { Principal } from '../control/access/principal.ts';
import { networkOf } from './client-address.ts';
import { Refusal } from './refusal.ts';

export type AtOnce = Readonly<Record<Role, number>>;

export class PlacesAtOnce {
  readonly #most: AtOnce;
  /** Those who have none are not remembered. */
  readonly #taken = new Map<string, number>();

  constructor(most: AtOnce) {
    this.#most = most;
  }

  /** How many have something under way. */
  get size(): number {
    return this.#taken.size;
  }

  async run<T>(
    { principal, address }: { readonly principal: Principal; readonly address: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const owner = principal.account ?? `address:${networkOf(address)}`;
    const most = this.#most[principal.role];
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= most) throw tooMany(principal, most);
    this.#taken.set(owner, taken + 1);
    try {
      return await work();
    } finally {
      const left = (this.#taken.get(owner) ?? 1) - 1;
      if (left === 0) this.#taken.delete(owner);
      else this.#taken.set(owner, left);
    }
  }
}

function tooMany({ kind }: Principal, most: number): Refusal {
  const whose = kind === 'anonymous' ? 'this address' : 'this account';
  return new Refusal(
    'too-many-at-once',
    `${most} requests of ${whose} are being worked on, and no more at once.`,
    {
      hint: 'wait for an answer before asking for the next',
      headers: { 'retry-after': '1' },
    },
  );
}
