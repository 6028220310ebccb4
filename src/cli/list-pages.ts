/** Prints `page list`. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import { type StoredPage, toPageRow } from '../control/pages/page-row.ts';
import { readPages } from '../control/pages/read-pages.ts';
import { makeContext, withDatabase } from './context.ts';
import { formatBytes, formatTable, printable, shorten } from './format.ts';

interface ListOptions {
  readonly domain?: string;
  readonly status?: number;
  readonly title?: string;
  readonly gone?: boolean;
  readonly after: number;
  readonly limit: number;
}

const TITLE_WIDTH = 40;

export async function listPages(command: Command): Promise<void> {
  const context = makeContext(command);
  const { domain, status, title, gone: isGone, after, limit } = command.optsWithGlobals<ListOptions>();
  const found = await withDatabase(context.config, async (db) => {
    const domainIds = domain === undefined ? undefined : [(await findDomain(db, domain)).id];
    return readPages(db, { domainIds, status, title, isGone }, after, limit + 1);
  });
  const pages = found.slice(0, limit);
  if (context.isJson) for (const page of pages) context.printJson(toPageRow(page));
  else if (pages.length === 0) context.printLine('No pages.');
  else {
    const lines = formatTable(
      [
        { title: 'ID', align: 'right' },
        { title: 'STATUS', align: 'right' },
        { title: 'SIZE', align: 'right' },
        { title: 'TITLE' },
        { title: 'URL' },
      ],
      pages.map((page) => [
        String(page.id),
        statusOf(page),
        formatBytes(page.contentLength),
        printable(shorten(page.title ?? '-', TITLE_WIDTH)),
        printable(page.url),
      ]),
    );
    for (const line of lines) context.printLine(line);
  }
  const last = pages.at(-1);
  if (found.length > limit && last !== undefined) {
    context.err.write(`There are more: --after ${last.id} shows the next.\n`);
  }
}

/** What it last answered, or that it is not there any more. */
function statusOf({ status, missingSince, goneAt }: StoredPage): string {
  if (goneAt !== null) return 'gone';
  return missingSince === null ? String(status) : 'missing';
}
