/** Counts the request under the rules that hold for it, and tells its sender how many are left. */
import type { FastifyReply } from 'fastify';
import type { Role } from '../contract/access.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Principal } from '../control/access/principal.ts';
import type { Config } from '../platform/config.ts';
import { networkOf } from './client-address.ts';
import { type RateRule, type RateVerdict, waitSecondsOf } from './rate-limiter.ts';
import { Refusal } from './refusal.ts';
import type { ServerLimits } from './server-limits.ts';
import type { ServerParts } from './server-parts.ts';

const WINDOW_SECONDS = 60;

/** Whose requests are counted, and under which rules. */
export interface Tally {
  readonly owner: string;
  readonly rules: readonly RateRule[];
}

/** Undefined: the request is not counted. */
export function tallyOf(
  { config, limits }: { readonly config: Config; readonly limits: ServerLimits },
  { principal, address }: { readonly principal: Principal; readonly address: string },
  endpoint: Endpoint | undefined,
): Tally | undefined {
  const network = `address:${networkOf(address)}`;
  const own = { name: principal.role, limit: rateOf(config, principal.role), windowSeconds: WINDOW_SECONDS };
  const seed = { name: 'seed', limit: config.rateSeed, windowSeconds: WINDOW_SECONDS };
  const login = { name: 'login', limit: limits.loginsPerMinute, windowSeconds: WINDOW_SECONDS };
  switch (endpoint?.tier) {
    case 'probe':
      return undefined;
    case 'login':
      return { owner: network, rules: [login] };
    case 'seed':
      return { owner: principal.account ?? network, rules: [own, seed] };
    default:
      return { owner: principal.account ?? network, rules: [own] };
  }
}

/** What other sites' pages make a visitor's browser send: it takes nothing from what the visitor may ask for. */
export function tallyOfPages(limits: ServerLimits, { address }: { readonly address: string }): Tally {
  const rule = { name: 'cross-site', limit: limits.crossSitePerMinute, windowSeconds: WINDOW_SECONDS };
  return { owner: `address:${networkOf(address)}`, rules: [rule] };
}

export async function limitRate(
  { limiter }: Pick<ServerParts, 'limiter'>,
  reply: FastifyReply,
  { owner, rules }: Tally,
): Promise<void> {
  const verdict = await limiter.take(owner, rules);
  tellStanding(reply, verdict);
  if (verdict.isAllowed) return;
  const seconds = waitSecondsOf(verdict);
  const full = verdict.standings.find(({ remaining }) => remaining === 0)?.rule ?? rules[0];
  throw new Refusal(
    'rate-limited',
    `No more than ${full?.limit} requests in ${full?.windowSeconds} seconds are answered here ("${full?.name}").`,
    {
      hint: `wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, as Retry-After says`,
      headers: { 'retry-after': String(seconds) },
    },
  );
}

function rateOf(config: Config, role: Role): number {
  const limits: Readonly<Record<Role, number>> = {
    ...{ anonymous: config.rateAnonymous, user: config.rateUser },
    ...{ admin: config.rateAdmin, bot: config.rateBot },
  };
  return limits[role];
}

/** As the standard to come has it, and as most clients still read it: those are about the rule with the least left. */
function tellStanding(reply: FastifyReply, { standings }: RateVerdict): void {
  const [tightest] = [...standings].sort((a, b) => a.remaining - b.remaining);
  reply.headers({
    'ratelimit-policy': standings
      .map(({ rule }) => `"${rule.name}";q=${rule.limit};w=${rule.windowSeconds}`)
      .join(', '),
    ratelimit: standings
      .map(({ rule, remaining, resetSeconds }) => `"${rule.name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    'ratelimit-limit': String(tightest?.rule.limit),
    'ratelimit-remaining': String(tightest?.remaining),
    'ratelimit-reset': String(tightest?.resetSeconds),
  });
}
