/** `forager explain`: everything that bears on whether a URL is fetched, and why. */
import type { Command } from 'commander';

const EXAMPLES = `
Examples:
  forager explain https://example.com/some/page
  forager explain example.com/some/page --json

Nothing is fetched: robots.txt is the one last read. Whether a URL is in scope depends on the crawl.`;

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('say whether a URL will be fetched next, and why or why not')
    .argument('<url>', 'the URL in any spelling')
    .addHelpText('after', EXAMPLES)
    .action(async (url: string, _options: unknown, command: Command) => {
      await (await import('./show-explanation.ts')).showExplanation(url, command);
    });
}
