/** `forager crawl`: one crawl to the end, resumable by running it again. */
import type { Command } from 'commander';
import { makeContext } from './context.ts';
import { addCrawlOptions, type CrawlOptions } from './crawl-options.ts';

const EXAMPLES = `
Examples:
  forager crawl https://example.com
  forager crawl https://example.com --max-pages 500 --export pages.jsonl
  forager crawl --seeds shops.txt --scope domain --delay 2
  forager crawl https://example.com --images products
  forager crawl http://localhost:8080 --allow-private --delay 0

Ctrl-C stops cleanly; the same command goes on where it stopped. So it does after a crash.`;

export function addCrawlCommand(program: Command): void {
  addCrawlOptions(program.command('crawl').argument('[urls...]', 'where to start'))
    .description('crawl sites to the end, durably and politely')
    .addHelpText('after', EXAMPLES)
    .action(async (urls: string[], options: CrawlOptions, command: Command) => {
      const { runCrawl } = await import('./run-crawl.ts');
      const context = makeContext(command, {
        ...(options.delay === undefined ? {} : { delayMs: Math.round(options.delay * 1000) }),
        ...(options.concurrency === undefined ? {} : { maxConcurrentRequests: options.concurrency }),
        ...(options.maxDepth === undefined ? {} : { maxDepth: options.maxDepth }),
        ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
        ...(options.allowPrivate ? { allowPrivate: true } : {}),
        ...(options.robots ? {} : { respectRobots: false }),
        ...(options.bodies ? {} : { keepBodies: false }),
        ...(options.sitemaps ? {} : { readSitemaps: false }),
        ...(options.images === undefined ? {} : { images: options.images }),
      });
      await runCrawl(urls, options, context);
    });
}
