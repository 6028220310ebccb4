/** `forager robots check`: may this agent fetch these URLs? With --file it needs neither database nor network. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { RobotsVerdict } from '../engine/politeness/robots-match.ts';
import { errorCode } from '../platform/errors.ts';
import { LineWriter, outputClosed } from '../platform/standard-output.ts';
import { EXIT_FAILED, QuietExit, UsageError } from './exit.ts';
import { printable } from './format.ts';
import { readAllInput, readArguments } from './read-lines.ts';

const EXAMPLES = `
Examples:
  forager robots check --file robots.txt --agent FooBot https://example.com/private/x
  forager robots check --url https://example.com --agent Forager https://example.com/a https://example.com/b
  forager robots check --file robots.txt --agent FooBot --json - < urls.txt

URLs are compared as written, as the reference parser does it: give them percent-encoded.
The exit code is 0 if all URLs are allowed, 1 if any is not, 2 if there is nothing to check them against.`;

interface CheckOptions {
  readonly file?: string;
  readonly url?: string;
  readonly agent: string;
  readonly allowPrivate?: true;
  readonly json?: true;
}

export function addRobotsCommand(program: Command): void {
  const robots = program.command('robots').description('look at robots.txt the way Forager does');
  robots
    .command('check')
    .description('say for each URL whether robots.txt allows it, and by which rule (RFC 9309)')
    .argument('<urls...>', 'URLs to check; "-" reads them from standard input, one a line')
    .option('--file <file>', 'the robots.txt to read ("-" reads standard input)')
    .option('--url <url>', "fetch the robots.txt of this URL's site")
    .option('--agent <name>', 'product token or User-Agent header to check for', 'Forager')
    .option('--allow-private', 'with --url: also fetch from loopback and private addresses')
    .addHelpText('after', EXAMPLES)
    .action(async (urls: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CheckOptions>();
      const judge = await openJudge(urls, options, command);
      const deniedCount = await printVerdicts(urls, options, judge);
      if (deniedCount > 0) throw new QuietExit(EXIT_FAILED);
    });
}

type Judge = (url: string) => RobotsVerdict;

async function openJudge(urls: readonly string[], options: CheckOptions, command: Command): Promise<Judge> {
  if (options.file !== undefined && options.url !== undefined) {
    throw new UsageError('Give either --file or --url, not both.');
  }
  if (options.file === '-' && urls.includes('-')) {
    throw new UsageError('Standard input cannot be both the robots.txt and the list of URLs.');
  }
  if (options.file !== undefined) return judgeByBody(await readRobotsFile(options.file), options.agent);
  if (options.url === undefined) {
    throw new UsageError(
      'Which robots.txt? None was named.',
      'give --file robots.txt, or --url https://example.com to fetch that of a site',
    );
  }
  const { fetchSiteRobots } = await import('./fetch-site-robots.ts');
  const reading = await fetchSiteRobots(options.url, options.allowPrivate === true, command);
  if (reading.access === 'parse' && reading.body !== undefined)
    return judgeByBody(reading.body, options.agent);
  const allowed = reading.access === 'allow-all';
  const rule = reading.note ?? (allowed ? 'there is no robots.txt' : 'robots.txt cannot be read');
  return () => ({ allowed, rule, line: undefined, group: 'none' });
}

async function judgeByBody(body: Buffer, agent: string): Promise<Judge> {
  const [{ parseRobotsTxt, ROBOTS_MAX_BYTES }, { rulesForAgent }] = await Promise.all([
    import('../engine/politeness/robots-txt.ts'),
    import('../engine/politeness/robots-match.ts'),
  ]);
  // A crawl reads this far and no further: what it would not see must not decide here either.
  const isTruncated = body.length > ROBOTS_MAX_BYTES;
  const rules = rulesForAgent(parseRobotsTxt(body.subarray(0, ROBOTS_MAX_BYTES), { isTruncated }), agent);
  return (url) => rules.verdict(url);
}

async function printVerdicts(urls: readonly string[], options: CheckOptions, judge: Judge): Promise<number> {
  const out = new LineWriter();
  let deniedCount = 0;
  for await (const url of readArguments(urls)) {
    if (outputClosed.aborted) break;
    const verdict = judge(url);
    if (!verdict.allowed) deniedCount += 1;
    await out.write(options.json ? toJson(url, options.agent, verdict) : toLine(url, verdict));
  }
  await out.flush();
  return deniedCount;
}

function toJson(url: string, agent: string, { allowed, rule, line, group }: RobotsVerdict): string {
  return JSON.stringify({ url, agent, allowed, rule: rule ?? null, line: line ?? null, group });
}

function toLine(url: string, verdict: RobotsVerdict): string {
  const word = verdict.allowed ? 'allowed   ' : 'disallowed';
  return `${word}  ${printable(url)}  (${printable(explainVerdict(verdict))})`;
}

function explainVerdict({ rule, line, group }: RobotsVerdict): string {
  if (rule !== undefined) return line === undefined ? rule : `${rule}, line ${line}`;
  return group === 'none' ? 'no group for this agent' : 'no rule matches';
}

async function readRobotsFile(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await readAllInput() : await readFile(file);
  } catch (error) {
    const code = errorCode(error);
    const problem = code === 'ENOENT' ? 'there is no such file' : (code ?? String(error));
    // Not 1: that would say that a URL is disallowed.
    throw new UsageError(`The file ${file} cannot be read: ${problem}.`, 'check its name and rights');
  }
}
