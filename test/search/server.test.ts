import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { drainOutbox } from '../../src/search/elastic/drain-outbox.ts';
import { aliasOf, INDEX_KINDS } from '../../src/search/elastic/indexes.ts';
import { registerServer } from '../../src/search/elastic/register.ts';
import { reindex } from '../../src/search/elastic/reindex.ts';
import { connectToServer } from '../../src/search/elastic/transport.ts';
import { openSearch } from '../../src/search/open-search.ts';
import { serverName } from '../../src/search/server-name.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { startSearchServerDouble } from '../support/search-server.ts';
import { type Subject, searchConformance } from './conformance.ts';

async function openSubject(
  { db }: TestDatabase,
  url: string,
  cleanUp?: () => Promise<void>,
): Promise<Subject> {
  const prefix = `test-${randomBytes(4).toString('hex')}-`;
  const transport = await connectToServer(url);
  await registerServer(db, serverName({ searchUrl: url, searchPrefix: prefix }));
  for (const kind of INDEX_KINDS) await reindex({ db, transport, prefix }, kind);
  const search = openSearch({ db, config: loadConfig({ searchUrl: url, searchPrefix: prefix }, {}) });
  return {
    parts: search,
    engine: transport.kind,
    settle: async () => {
      await drainOutbox({ db, transport, prefix });
      for (const kind of INDEX_KINDS) {
        await transport.request({ method: 'POST', path: `/${aliasOf(prefix, kind)}/_refresh` });
      }
    },
    close: async () => {
      for (const kind of INDEX_KINDS) {
        const { body } = await transport.request({ method: 'GET', path: `/_alias/${aliasOf(prefix, kind)}` });
        for (const index of Object.keys(body as object)) {
          await transport.request({ method: 'DELETE', path: `/${index}`, expects: [400, 404] });
        }
      }
      await search.close();
      await transport.close();
      await cleanUp?.();
    },
  };
}

for (const distribution of ['elasticsearch', 'opensearch'] as const) {
  searchConformance(`a double of ${distribution}`, async (database) => {
    const server = await startSearchServerDouble(distribution);
    return openSubject(database, server.url, () => server.close());
  });
}

const realUrl = process.env.FORAGER_TEST_SEARCH_URL;
describe.runIf(realUrl !== undefined)('a real server', () => {
  searchConformance('the server of FORAGER_TEST_SEARCH_URL', (database) =>
    openSubject(database, realUrl ?? ''),
  );
});
