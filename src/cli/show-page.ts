/** Prints one page: what is known about it, or what its kept body gives. */
import type { Command } from 'commander';
import { findPage } from '../control/pages/find-page.ts';
import { type StoredPage, toPageRow } from '../control/pages/page-row.ts';
import { articleOf, type PageBody, readPageBody, visibleTextOf } from '../control/pages/read-page-body.ts';
import { explainMissingBody } from '../control/pages/why-no-body.ts';
import { ForagerError } from '../platform/errors.ts';
import { writeOutput } from '../platform/standard-output.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printFields } from './field-list.ts';
import { formatBytes, formatCount, printableText } from './format.ts';
import { formatInstant } from './moments.ts';
import { warcDirectory } from './warc-directory.ts';

const VIEWS = ['text', 'markdown', 'visibleText', 'raw', 'articleJson'] as const;
type View = (typeof VIEWS)[number];
type ShowOptions = { readonly [key in View]?: true };
type KeptBody = Extract<PageBody, { kind: 'kept' }>;

export async function showPage(idOrUrl: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ShowOptions>();
  const views = VIEWS.filter((name) => options[name] === true);
  if (views.length > 1)
    throw new UsageError(
      'Give one of --text, --markdown, --visible-text, --raw and --article-json, not several.',
    );
  const [view] = views;
  const { page, body } = await withDatabase(context.config, async (db) => {
    const page = await findPage(db, idOrUrl);
    if (view === undefined) return { page, body: undefined };
    const body = await readPageBody(warcDirectory(context.config), page);
    if (body.kind === 'not-kept') throw new ForagerError('no-body', await explainMissingBody(db, page));
    return { page, body };
  });
  if (view === undefined || body === undefined) printMetadata(context, page);
  else await printView(context, page, requireBody(body), view);
}

function requireBody(body: Exclude<PageBody, { kind: 'not-kept' }>): KeptBody {
  if (body.kind === 'kept') return body;
  throw new ForagerError('body-unreadable', body.message, {
    hint: 'restore the file from a backup, or fetch the page again ("forager domain reset --recrawl", then crawl)',
  });
}

async function printView(
  context: CommandContext,
  page: StoredPage,
  body: KeptBody,
  view: View,
): Promise<void> {
  if (view === 'articleJson') {
    context.printJson({ url: page.url, ...articleOf(body, page.url) });
    return;
  }
  if (view === 'raw') {
    if (context.isJson)
      context.printJson({ url: page.url, raw: body.bytes.toString('base64'), encoding: 'base64' });
    else await writeOutput(body.bytes);
    return;
  }
  const text = view === 'visibleText' ? visibleTextOf(body) : articleOf(body, page.url)[view];
  if (context.isJson) context.printJson({ url: page.url, [view]: text });
  else await writeOutput(printableText(text));
}

function printMetadata(context: CommandContext, page: StoredPage): void {
  if (context.isJson) {
    context.printJson({ ...toPageRow(page), hasBody: page.segment !== null });
    return;
  }
  printFields(context, [
    ['url', page.url],
    ['id', page.id],
    ['domain', page.domain],
    ['status', page.status],
    ['title', page.title],
    ['description', page.description],
    ['canonical', page.canonicalUrl],
    ['language', page.language],
    ['content type', page.contentType],
    ['charset', page.charset],
    ['size', `${formatBytes(page.contentLength)} (${formatBytes(page.transferLength)} transferred)`],
    ['text', `${formatCount(page.textLength)} characters`],
    ['links', formatCount(page.links)],
    ['images', formatCount(page.images)],
    ['depth', page.depth],
    ['robots', [page.noindex ? 'noindex' : '', page.nofollow ? 'nofollow' : ''].filter(Boolean).join(', ')],
    ['content hash', page.contentHash],
    ['simhash', page.simhash],
    ['first read', formatInstant(page.firstCrawledAt)],
    ['last read', `${formatInstant(page.crawledAt)}, in ${formatCount(page.durationMs)} ms`],
    ['changed', momentOf(page.changedAt)],
    ['missing since', momentOf(page.missingSince)],
    ['gone since', momentOf(page.goneAt)],
    ['run', page.run],
    ['body', page.segment === null ? 'not kept' : `${page.segment} at ${page.segmentOffset}`],
  ]);
}

function momentOf(date: Date | null): string | null {
  return date === null ? null : formatInstant(date);
}
