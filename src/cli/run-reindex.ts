/** Runs `forager search reindex` and `forager search forget`. */
import type { Command } from 'commander';
import { ForagerError } from '../platform/errors.ts';
import { INDEX_KINDS } from '../search/elastic/indexes.ts';
import { registerServer, unregisterServers } from '../search/elastic/register.ts';
import { type ReindexReport, reindex } from '../search/elastic/reindex.ts';
import { connectToServer } from '../search/elastic/transport.ts';
import { SearchServerError } from '../search/search-server-error.ts';
import { serverName } from '../search/server-name.ts';
import { makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { formatCount } from './format.ts';
import { showShare } from './share-progress.ts';

export async function runReindex(command: Command): Promise<void> {
  const context = makeContext(command);
  const { config } = context;
  const { searchUrl, searchPrefix: prefix } = config;
  const { only } = command.optsWithGlobals<{ only?: 'products' | 'pages' }>();
  if (searchUrl === undefined) {
    throw new UsageError(
      'There is no search server: SEARCH_URL names it. PostgreSQL needs no index to be built.',
    );
  }
  const kinds = INDEX_KINDS.filter((kind) => only === undefined || only === `${kind}s`);
  const reports = await withDatabase(config, async (db) => {
    const transport = await connectToServer(searchUrl).catch(explain);
    try {
      await registerServer(db, serverName(config));
      const done: ReindexReport[] = [];
      for (const kind of kinds) {
        const build = (onCount: (count: number, total: number) => void) =>
          reindex({ db, transport, prefix }, kind, onCount).catch(explain);
        done.push(await showShare(context, `${kind}s`, undefined, build));
      }
      return done;
    } finally {
      await transport.close();
    }
  });
  for (const report of reports) {
    if (context.isJson) context.printJson(report);
    else {
      const refused = report.rejected === 0 ? '' : `, ${formatCount(report.rejected)} refused`;
      context.printLine(`${report.index}: ${formatCount(report.copied)} ${report.kind}s${refused}`);
    }
  }
}

function explain(error: unknown): never {
  if (!(error instanceof SearchServerError)) throw error;
  throw new ForagerError('search-unavailable', `The search server does not answer: ${error.message}`, {
    hint: 'see that it runs, and correct SEARCH_URL; what was done is kept, and gone on with',
  });
}

export async function runForget(command: Command): Promise<void> {
  const context = makeContext(command);
  if (context.config.searchUrl !== undefined) {
    throw new UsageError('SEARCH_URL names a search server: take it away first, from every process.');
  }
  await withDatabase(context.config, unregisterServers);
  if (context.isJson) context.printJson({ forgotten: true });
  else context.printLine('Changes are written down for no search server.');
}
