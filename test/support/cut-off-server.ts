/** A server whose database can be taken away from it. */
import { openParts } from '../../src/api/open-parts.ts';
import { createServer } from '../../src/api/server.ts';
import { type ConfigOverrides, loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface CutOffServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly proxy: TcpProxy;
  close(): Promise<void>;
}

export async function startCutOffServer(overrides: ConfigOverrides = {}): Promise<CutOffServer> {
  const database = await createTestDatabase();
  const address = new URL(database.url);
  const proxy = await startTcpProxy(address.hostname, Number(address.port || 5432));
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  const config = loadConfig(
    { databaseUrl: address.href, port: 0, rateAnonymous: 1_000_000, ...overrides },
    {},
  );
  const db = await openDatabase(config);
  const parts = await openParts({ config, db, slowDb: db });
  const app = await createServer(parts, { level: 'silent', stream: { write: () => undefined } });
  const url = await app.listen({ host: config.host, port: 0 });
  return {
    ...{ url, database, proxy },
    close: async () => {
      proxy.mend();
      await app.close();
      await parts.close();
      await db.close();
      await proxy.close();
      await database.drop();
    },
  };
}
