/** Prints `inspect`: of a URL what came back, of both what the parser sees. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { fetchForInspection } from '../control/inspect/fetch-for-inspection.ts';
import { type Inspection, inspectPage } from '../control/inspect/inspect-page.ts';
import { chooseParser } from '../control/parsers/choose-parser.ts';
import { openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import { NO_PARSER } from '../engine/extract/registry.ts';
import type { RawHeaders } from '../engine/fetch/fetch-result.ts';
import { readSeed } from '../engine/frontier/seeds.ts';
import { errorCode, ForagerError } from '../platform/errors.ts';
import { writeOutput } from '../platform/standard-output.ts';
import { type CommandContext, makeContext } from './context.ts';
import { EXIT_FAILED, QuietExit, UsageError } from './exit.ts';
import { printFields, printHeading } from './field-list.ts';
import { formatBytes, formatCount, printable, printableText } from './format.ts';
import { printExtraction } from './print-extraction.ts';
import { readAllInput } from './read-lines.ts';

interface InspectOptions {
  readonly base?: string;
  readonly contentType?: string;
  readonly links: number;
  readonly parser: string;
  readonly text?: true;
  readonly markdown?: true;
  readonly visibleText?: true;
  readonly allowPrivate?: true;
  readonly userAgent?: string;
}

/** What a file is resolved against when nobody says where it comes from. */
const NO_BASE = 'http://localhost/';

interface Source {
  readonly url: string;
  readonly status: number | null;
  readonly headers: RawHeaders;
  readonly remoteAddress: string | null;
  readonly redirects: readonly { readonly status: number; readonly location: string }[];
  readonly isTruncated: boolean;
  readonly body: Buffer;
}

export async function showInspection(text: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<InspectOptions>();
  const context = makeContext(command, {
    ...(options.allowPrivate && { allowPrivate: true }),
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
  });
  const view = chooseView(options);
  const base = readBase(options.base);
  const parser =
    options.parser === NO_PARSER
      ? undefined
      : await chooseParser(await openConfiguredParsers(context.config), options.parser);
  const source = /^https?:/i.test(text)
    ? await fetchSource(text, context)
    : await readSource(text, options, base);
  const { body, ...facts } = source;
  const { userAgent, maxLinksPerPage } = context.config;
  const inspection = inspectPage({
    ...{ body, headers: source.headers, userAgent },
    url: base ?? source.url,
    ...{ maxLinks: maxLinksPerPage, parser },
  });
  if (view !== undefined) {
    const shown = view === 'visibleText' ? inspection.visibleText : inspection.article[view];
    if (context.isJson) context.printJson({ url: source.url, [view]: shown });
    else await writeOutput(printableText(shown));
  } else if (context.isJson)
    context.printJson({ source: text, ...facts, headers: pairHeaders(facts.headers), ...inspection });
  else {
    printSource(context, text, source);
    printInspection(context, inspection, options.links);
  }
  if (view === undefined && inspection.extraction?.failure !== undefined) throw new QuietExit(EXIT_FAILED);
}

/** `parser try`: what one parser finds on a page, and nothing else. */
export async function showTrial(parserText: string, text: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Omit<InspectOptions, 'links' | 'parser'>>();
  const context = makeContext(command, {
    ...(options.allowPrivate && { allowPrivate: true }),
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
  });
  const parser = await chooseParser(await openConfiguredParsers(context.config), parserText);
  const base = readBase(options.base);
  const { body, ...facts } = /^https?:/i.test(text)
    ? await fetchSource(text, context)
    : await readSource(text, options, base);
  const url = base ?? facts.url;
  const { userAgent, maxLinksPerPage: maxLinks } = context.config;
  const { extraction } = inspectPage({ body, headers: facts.headers, userAgent, url, maxLinks, parser });
  if (context.isJson) context.printJson({ source: text, url, status: facts.status, extraction });
  else if (extraction !== null) {
    printFields(context, [
      ['source', text],
      ['url', url],
      ['status', facts.status],
    ]);
    printExtraction(context, extraction);
  }
  if (facts.status === null && base === undefined) {
    context.err.write(`The page counts as ${NO_BASE}: --base says where the file was saved from.\n`);
  }
  if (extraction?.failure !== undefined) throw new QuietExit(EXIT_FAILED);
}

const VIEWS = ['text', 'markdown', 'visibleText'] as const;

function chooseView(options: InspectOptions): (typeof VIEWS)[number] | undefined {
  const views = VIEWS.filter((name) => options[name] === true);
  if (views.length > 1)
    throw new UsageError('Give one of --text, --markdown and --visible-text, not several.');
  return views[0];
}

async function fetchSource(text: string, context: CommandContext): Promise<Source> {
  const seed = readSeed(text, false);
  if (seed.kind === 'bad')
    throw new UsageError(`"${text}" is not a URL that can be fetched: ${seed.reason}.`);
  const fetched = await fetchForInspection(seed.seed.candidate.url, context.config);
  const { status, headers, remoteAddress, body, isTruncated } = fetched.result;
  const { url, redirects } = fetched;
  return { url, status, headers, remoteAddress: remoteAddress ?? null, redirects, isTruncated, body };
}

async function readSource(
  file: string,
  options: Pick<InspectOptions, 'contentType'>,
  base: string | undefined,
): Promise<Source> {
  const headers = options.contentType === undefined ? [] : ['content-type', options.contentType];
  const body = await readBody(file);
  return {
    url: base ?? NO_BASE,
    status: null,
    headers,
    remoteAddress: null,
    redirects: [],
    isTruncated: false,
    body,
  };
}

async function readBody(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await readAllInput() : await readFile(file);
  } catch (error) {
    const code = errorCode(error);
    const problem =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : code;
    throw new ForagerError(
      'file-unreadable',
      `The file ${file} cannot be read: ${problem ?? String(error)}.`,
      {
        hint: 'check its name; a URL starts with http:// or https://',
        cause: error,
      },
    );
  }
}

function readBase(base: string | undefined): string | undefined {
  if (base === undefined) return undefined;
  const seed = readSeed(base, false);
  if (seed.kind === 'bad') throw new UsageError(`--base is "${base}", but must be a URL: ${seed.reason}.`);
  return seed.seed.candidate.url;
}

function pairHeaders(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? '']);
  return pairs;
}

function printSource(context: CommandContext, text: string, source: Source): void {
  printFields(context, [
    ['source', text],
    ...source.redirects.map(({ status, location }) => ['redirect', `${status} → ${location}`] as const),
    ['status', source.status],
    ['address', source.remoteAddress],
  ]);
  if (source.headers.length > 0) {
    printHeading(context, 'Headers');
    for (const [name, value] of pairHeaders(source.headers))
      context.printLine(printable(`  ${name}: ${value}`));
  }
  if (source.isTruncated) context.printLine('  (the body is larger than is read; the rest was left)');
}

function printInspection(context: CommandContext, inspection: Inspection, linkCount: number): void {
  const { robots, article } = inspection;
  const flags = [
    robots.isNoindex && 'noindex',
    robots.isNofollow && 'nofollow',
    robots.isNoarchive && 'noarchive',
  ];
  printHeading(context, 'Page');
  printFields(
    context,
    [
      ['size', formatBytes(inspection.bytes)],
      ['charset', inspection.charset],
      ['title', inspection.title ?? '(none)'],
      ['description', inspection.description],
      ['canonical', inspection.canonicalUrl],
      ['language', inspection.language],
      ['base', inspection.baseUrl],
      ['refresh', inspection.refreshUrl],
      ['robots', flags.filter(Boolean).join(', ') || 'no restrictions'],
      ['text', `${formatCount(inspection.textLength)} characters`],
      ['images', formatCount(inspection.images)],
      ['content hash', inspection.contentHash],
      ['simhash', inspection.simhash],
      ['article', `${article.kind}, ${formatCount(article.wordCount)} words`],
      ['article title', article.title],
      ['author', article.byline],
      ['published', article.publishedAt],
    ],
    '  ',
  );
  if (inspection.extraction !== null) printExtraction(context, inspection.extraction);
  const counts = Object.entries(inspection.linkCounts).map(
    ([kind, count]) => `${formatCount(count)} ${kind}`,
  );
  printHeading(
    context,
    `Links: ${formatCount(inspection.linksSeen)} seen${counts.length > 0 ? `; ${counts.join(', ')}` : ''}`,
  );
  for (const link of inspection.links.slice(0, linkCount)) {
    const nofollow = link.nofollow ? '  (nofollow)' : '';
    context.printLine(
      printable(`  ${link.kind.padEnd(9)}  ${link.url ?? `${link.href}  (not followed)`}${nofollow}`),
    );
  }
  const rest = inspection.links.length - linkCount;
  if (rest > 0) context.printLine(`  … and ${formatCount(rest)} more (--links ${inspection.links.length})`);
}
