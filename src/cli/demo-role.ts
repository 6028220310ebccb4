/** The demo web beside a running server: served, seeded, and the one private place its fetcher may reach. */
import { type DemoWeb, startDemoWeb } from '../demo/start-demo-web.ts';
import type { ReachException } from '../engine/fetch/open-socket.ts';
import { readSeed } from '../engine/frontier/seeds.ts';
import { storeSeeds } from '../engine/seeds/store-seeds.ts';
import type { Database } from '../platform/database.ts';
import { errorCode } from '../platform/errors.ts';

/** The same each time where possible: sites are told apart by their port too. */
const DEMO_PORT = 3101;
const DEMO_ADDRESS = '127.0.0.1';

export interface DemoRole {
  readonly web: DemoWeb;
  readonly mayReach: ReachException;
  readonly origins: ReadonlySet<string>;
}

export async function openDemoRole(): Promise<DemoRole> {
  const web = await startDemoWeb({ port: DEMO_PORT }).catch((error: unknown) => {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    return startDemoWeb();
  });
  const origins = new Set([web, ...web.sites].map(({ url }) => new URL(url).origin));
  return {
    web,
    origins,
    mayReach: ({ protocol, hostname, port }, address) =>
      address === DEMO_ADDRESS && origins.has(new URL(`${protocol}//${hostname}:${port}`).origin),
  };
}

export async function seedDemo(db: Database, { sites }: DemoWeb): Promise<void> {
  const seeds = sites.flatMap(({ url }) => {
    const reading = readSeed(url, false);
    return reading.kind === 'ok' ? [{ seed: reading.seed, rank: undefined }] : [];
  });
  await storeSeeds(db, seeds, { source: 'demo', maxPagesPerRun: undefined });
}
