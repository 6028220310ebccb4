/** `forager url normalize`: the key under which a URL is known. Pure: no database, no network. */
import type { Command } from 'commander';
import { LineWriter, outputClosed } from '../platform/standard-output.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { printable } from './format.ts';
import { readArguments } from './read-lines.ts';

const EXAMPLES = `
Examples:
  forager url normalize 'HTTP://Example.com:80/a/../b?utm_source=x&b=2&a=1#top'
      → http://example.com/b?a=1&b=2
  forager url normalize --json https://www.example.co.uk/
  sort -u links.txt | forager url normalize - > keys.txt

Two URLs with the same key are the same page to Forager. What is no URL is told on standard
error, the others are still printed, and the exit code is 1.`;

interface NormalizeOptions {
  readonly stripTrailingSlash?: true;
  readonly json?: true;
}

export function addUrlCommand(program: Command): void {
  const url = program.command('url').description('look at URLs the way Forager does');
  url
    .command('normalize')
    .description('print the key of each URL: the spelling under which a page is known once')
    .argument('<urls...>', 'absolute http(s) URLs; "-" reads them from standard input, one a line')
    .option('--strip-trailing-slash', 'treat /a/ and /a as the same page')
    .addHelpText('after', EXAMPLES)
    .action(async (urls: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<NormalizeOptions>();
      const badCount = options.json
        ? await printDescriptions(urls, options.stripTrailingSlash === true)
        : await printKeys(urls, options.stripTrailingSlash === true);
      if (badCount > 0) throw new QuietExit(EXIT_FAILED);
    });
}

async function printKeys(urls: readonly string[], stripTrailingSlash: boolean): Promise<number> {
  const { normalizeUrl } = await import('../engine/frontier/normalize-url.ts');
  const out = new LineWriter();
  let badCount = 0;
  for await (const input of readArguments(urls)) {
    if (outputClosed.aborted) break;
    const normal = normalizeUrl(input, { stripTrailingSlash });
    if (normal.kind === 'ok') await out.write(normal.key);
    else {
      badCount += 1;
      // What was printed so far comes first, so that the two streams read in order on a terminal.
      await out.flush();
      tellBadUrl(input, normal.reason);
    }
  }
  await out.flush();
  return badCount;
}

async function printDescriptions(urls: readonly string[], stripTrailingSlash: boolean): Promise<number> {
  const { describeUrl } = await import('../control/explain/describe-url.ts');
  const out = new LineWriter();
  let badCount = 0;
  for await (const input of readArguments(urls)) {
    if (outputClosed.aborted) break;
    const description = describeUrl(input, stripTrailingSlash);
    await out.write(JSON.stringify(description));
    if (!('error' in description)) continue;
    badCount += 1;
    await out.flush();
    tellBadUrl(input, description.error);
  }
  await out.flush();
  return badCount;
}

function tellBadUrl(input: string, reason: string): void {
  process.stderr.write(`forager: "${printable(input.slice(0, 200))}": ${reason}\n`);
}
