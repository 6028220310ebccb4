/** The options of `forager crawl`: what they are called, what they mean, and what is wrong with a bad one. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { compilePattern } from '../engine/frontier/scope.ts';
import { positiveInteger, wholeNumber } from './option-values.ts';

export interface CrawlOptions {
  readonly seeds?: string;
  readonly maxPages?: number;
  readonly maxPagesPerDomain?: number;
  readonly maxDepth?: number;
  readonly scope: 'host' | 'domain' | 'any';
  readonly include?: RegExp[];
  readonly exclude?: RegExp[];
  readonly delay?: number;
  readonly concurrency?: number;
  readonly allowPrivate?: true;
  readonly userAgent?: string;
  readonly robots: boolean;
  readonly bodies: boolean;
  readonly sitemaps: boolean;
  readonly images?: 'off' | 'products' | 'all';
  readonly stripTrailingSlash?: true;
  readonly export?: string;
}

export function addCrawlOptions(command: Command): Command {
  return command
    .option(
      '--seeds <file>',
      'read seeds from a file: one a line, or columns with a rank ("-" reads standard input)',
    )
    .option('--max-pages <n>', 'stop after this many pages in this crawl', positiveInteger)
    .option('--max-pages-per-domain <n>', 'at most this many pages from each domain', positiveInteger)
    .option('--max-depth <n>', 'follow links at most this far from a seed (default: 10)', wholeNumber)
    .addOption(
      new Option('--scope <scope>', 'how far from the seeds: their hosts, their whole domains, or anywhere')
        .choices(['host', 'domain', 'any'])
        .default('host'),
    )
    .option('--include <regex>', 'only follow URLs that match (repeatable)', collectPattern)
    .option('--exclude <regex>', 'never follow links that match (repeatable)', collectPattern)
    .option('--delay <seconds>', 'pause between requests to a domain (default: 1)', seconds)
    .option('--concurrency <n>', 'most requests open to a domain at once (default: 5)', positiveInteger)
    .option('--allow-private', 'also fetch from loopback and private addresses')
    .option('--user-agent <text>', 'introduce yourself under another name')
    .option('--no-robots', 'ignore robots.txt and robots directives (only for sites that are yours)')
    .option('--no-bodies', 'do not keep the pages themselves, only what was read from them')
    .option('--no-sitemaps', 'do not read sitemaps')
    .addOption(
      new Option('--images [which]', 'fetch and keep images too: those of products, or all (default: off)')
        .choices(['products', 'all', 'off'])
        .preset('all'),
    )
    .option('--strip-trailing-slash', 'treat /a/ and /a as the same page')
    .option('--export <file>', 'write the pages to a file when done (.jsonl or .csv)', exportFile);
}

function exportFile(text: string): string {
  if (!/\.(?:jsonl|ndjson|json|csv)$/i.test(text) && !text.startsWith('/dev/')) {
    throw new InvalidArgumentError('Its name must end in .jsonl or .csv.');
  }
  return text;
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 86_400) {
    throw new InvalidArgumentError('It must be a number of seconds from 0 to 86400, such as 0.5.');
  }
  return value;
}

function collectPattern(text: string, patterns: RegExp[] = []): RegExp[] {
  const compiled = compilePattern(text);
  if (compiled.kind === 'bad') throw new InvalidArgumentError(compiled.message);
  return [...patterns, compiled.pattern];
}
