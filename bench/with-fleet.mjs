/** A database that is up before the workers are and after them, as a fleet has it. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openServer } from './engine.mjs';
import { prepareDataDir, removeDataDir, schedulerCommand, seedSites, workerCommand } from './forager.mjs';

/**
 * @param {import('./start-site.mjs').Site} site every host of which is put into the standing order, unless told not to
 * @param {(fleet: { dataDir: string, db: object, worker: (id: string, settings: object, flags?: string[]) => object,
 *   scheduler: (settings: object) => object }) => Promise<T>} work
 * @template T
 */
export async function withFleet(site, work, { isSeeded = true } = {}) {
  const dataDir = await prepareDataDir();
  try {
    const db = await openServer(dataDir);
    try {
      const seeds = site.origins.map((origin) => `${origin}/`);
      if (isSeeded) await seedSites({ dataDir, databaseUrl: db.url, seeds });
      await site.reset();
      return await work({
        dataDir,
        db,
        worker: (id, settings, flags) => {
          const ownDir = path.join(dataDir, id);
          mkdirSync(ownDir, { recursive: true });
          return workerCommand({ dataDir: ownDir, databaseUrl: db.url, id, settings, flags });
        },
        scheduler: (settings) => schedulerCommand({ dataDir, databaseUrl: db.url, settings }),
      });
    } finally {
      await db.close();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

/** What ended in another way than it was asked to has measured nothing. */
export function assertEnded({ exitCode, signal, stderr }) {
  if (exitCode === 0) return;
  throw new Error(
    `a process of the fleet ended with ${signal ?? `code ${exitCode}`}: ${stderr.trim().slice(-2000)}`,
  );
}
