/** Serves the demo web, starts afresh, crawls it, and tells what to try next. */

import { startDemoWeb } from '../demo/start-demo-web.ts';
import { readSeed, type Seed } from '../engine/frontier/seeds.ts';
import type { CommandContext } from './context.ts';
import { crawlAndTell } from './run-crawl.ts';

export async function runDemo(context: CommandContext, isServeOnly: boolean): Promise<void> {
  const web = await startDemoWeb();
  try {
    const { style } = context.err;
    if (!context.isJson) {
      context.err.write(`\n  ${style.bold('A small web on this machine:')}\n`);
      for (const site of web.sites) {
        context.err.write(`    ${style.cyan(site.url)}  ${style.dim(site.description)}\n`);
      }
      context.err.write('\n');
    }
    if (isServeOnly) {
      await new Promise<void>((resolve) => process.once('SIGINT', resolve));
      return;
    }
    const options = {
      ...{ scope: 'host' as const },
      ...{ robots: true, bodies: true, sitemaps: true },
    };
    await crawlAndTell(readSeeds(web.sites), options, context);
    if (!context.isJson) {
      const show = context.suggest(`page show ${web.sites[0]?.url} --markdown`);
      context.printLine(`  ${context.out.style.bold('Try')}       ${show}`);
      context.printLine(
        `            npx forager crawl https://example.com --max-pages 50 --export pages.jsonl`,
      );
      context.printLine(`  ${context.out.style.bold('Others')}    ${context.suggest('…')}`);
      context.printLine();
    }
  } finally {
    await web.close();
  }
}

function readSeeds(sites: ReadonlyArray<{ readonly url: string }>): Seed[] {
  return sites.flatMap((site) => {
    const reading = readSeed(site.url, false);
    return reading.kind === 'ok' ? [reading.seed] : [];
  });
}
