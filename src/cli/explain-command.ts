/** `forager explain`: everything that bears on whether a URL is fetched, or a domain worked on, and why. */
import type { Command } from 'commander';

const EXAMPLES = `
Examples:
  forager explain https://example.com/some/page
  forager explain example.com/some/page --json
  forager explain example.com

A name without a path is a domain: its state and why, who holds it, the queue it is in and how many come before
it, and its score term by term. Anything else is a URL; https://example.com/ is the first page of that domain.
Nothing is fetched: robots.txt is the one last read. Whether a URL is in scope depends on the crawl.`;

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('say whether a URL will be fetched next, or a domain worked on, and why or why not')
    .argument('<url|domain>', 'the URL or the name of the domain, in any spelling')
    .addHelpText('after', EXAMPLES)
    .action(async (subject: string, _options: unknown, command: Command) => {
      if (isName(subject)) {
        await (await import('./show-domain-explanation.ts')).showDomainExplanation(subject, command);
      } else await (await import('./show-explanation.ts')).showExplanation(subject, command);
    });
}

/** No scheme, no path, nothing after it. */
function isName(subject: string): boolean {
  return !/[/?#\\]/.test(subject.trim());
}
