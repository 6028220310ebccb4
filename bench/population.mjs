/** Two databases of one server, alike in everything but size: what is known of a fleet after a while. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openServer } from './engine.mjs';
import { migrateDatabase } from './forager.mjs';

const POPULATION = readFileSync(new URL('./population.sql', import.meta.url), 'utf8');
/** Whoever holds the leases of the domains that have pages to write. */
export const COMMITTER = 'bench-committer';

/** @param {{ name: string, domains: number, urls: number, pages?: number }[]} sizes fewer pages than URLs read, if told */
export async function populate(dataDir, sizes, say) {
  const server = await openServer(dataDir);
  try {
    for (const size of sizes) {
      const startedAt = performance.now();
      await execute(server.url, [`create database ${size.name}`]);
      const url = databaseUrl(server, size.name);
      await migrateDatabase(url);
      await execute(url, [
        `set bench.domains = ${size.domains}; set bench.urls = ${size.urls}; set bench.committer = '${COMMITTER}'; set bench.pages = '${size.pages ?? ''}'`,
        POPULATION,
        // What autovacuum would have done long ago.
        'vacuum analyze',
        'checkpoint',
      ]);
      const seconds = (performance.now() - startedAt) / 1000;
      say(`${size.domains} domains and ${size.urls} URLs made in ${seconds.toFixed(0)} s`);
    }
  } finally {
    await server.close();
  }
}

export function databaseUrl(server, name) {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** A connection that may write, for preparing and for putting back. */
export async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function execute(url, statements) {
  const client = await connect(url);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
