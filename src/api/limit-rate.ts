/** Counts the request under the rules that hold for it, and tells its sender how many are left. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../contract/access.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Config } from '../platform/config.ts';
import { networkOf } from './client-address.ts';
import { type RateRule, type RateVerdict, waitSecondsOf } from './rate-limiter.ts';
import { Refusal } from './refusal.ts';
import type { ServerParts } from './server-parts.ts';

const WINDOW_SECONDS = 60;

export async function limitRate(
  { limiter, config }: Pick<ServerParts, 'limiter' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): Promise<void> {
  if (endpoint?.tier === 'probe') return;
  const { role, account } = request.principal;
  const rules = rulesFor(config, role, endpoint);
  const verdict = await limiter.take(account ?? `address:${networkOf(request.address)}`, rules);
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

function rulesFor(config: Config, role: Role, endpoint: Endpoint | undefined): readonly RateRule[] {
  const limits: Readonly<Record<Role, number>> = {
    ...{ anonymous: config.rateAnonymous, user: config.rateUser },
    ...{ admin: config.rateAdmin, bot: config.rateBot },
  };
  const own = { name: role, limit: limits[role], windowSeconds: WINDOW_SECONDS };
  if (endpoint?.tier !== 'seed') return [own];
  return [own, { name: 'seed', limit: config.rateSeed, windowSeconds: WINDOW_SECONDS }];
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
