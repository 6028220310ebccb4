/** Fetches a site's own robots.txt for a check from the command line. */
import type { Command } from 'commander';
import { createFetcher } from '../engine/fetch/fetcher.ts';
import { readSeed } from '../engine/frontier/seeds.ts';
import { readRobots } from '../engine/politeness/read-robots.ts';
import type { RobotsReading } from '../engine/politeness/robots-book.ts';
import { now } from '../platform/clock.ts';
import { ForagerError } from '../platform/errors.ts';
import { makeContext } from './context.ts';
import { UsageError } from './exit.ts';

export async function fetchSiteRobots(
  site: string,
  allowPrivate: boolean,
  command: Command,
): Promise<RobotsReading> {
  const seed = readSeed(site, false);
  if (seed.kind === 'bad') throw new UsageError(`"${site}" is not the URL of a site: ${seed.reason}.`);
  const { config } = makeContext(command, allowPrivate ? { allowPrivate: true } : {});
  const fetcher = createFetcher({
    allowPrivate: config.allowPrivate,
    maxConnectionsPerOrigin: 1,
    maxOrigins: 8,
    connectTimeoutMs: Math.min(10_000, config.requestTimeoutMs),
  });
  try {
    const { origin } = new URL(seed.seed.candidate.url);
    const { reading, failure } = await readRobots(
      origin,
      config.userAgent,
      (request) => fetcher.fetch(request),
      now,
    );
    if (failure !== undefined) {
      throw new ForagerError('robots-unreadable', `${origin}/robots.txt cannot be read: ${failure.message}`, {
        hint:
          failure.reason === 'private-address'
            ? 'add --allow-private if this site is yours'
            : 'a crawl fetches nothing from a site whose robots.txt cannot be read; try again later',
      });
    }
    return reading;
  } finally {
    await fetcher.close();
  }
}
