/** `forager inspect`: what the parser sees in a page. Needs no database and stores nothing. */
import type { Command } from 'commander';
import { wholeNumber } from './option-values.ts';

const EXAMPLES = `
Examples:
  forager inspect https://example.com/
  forager inspect page.html --base https://example.com/article
  forager inspect https://example.com/article --markdown
  forager inspect https://shop.example.com/p/kettle --parser ./my-shop.mjs
  forager inspect http://localhost:8080/ --allow-private --json
  curl -s https://example.com | forager inspect - --base https://example.com

One request, made because you asked for it: robots.txt is not consulted.`;

export function addInspectCommand(program: Command): void {
  program
    .command('inspect')
    .description('fetch a page or read a file, and show what the parser sees in it, and the product on it')
    .argument('<url|file>', 'an http(s) URL, a file, or "-" for standard input')
    .option('--base <url>', 'the address a file was saved from: what its links are resolved against')
    .option('--content-type <type>', 'the Content-Type a file was served with, for its charset')
    .option(
      '--parser <name|file>',
      'what looks for a product: a parser there is, or a file of one',
      'generic',
    )
    .option('--text', 'only the article as text: the main content without navigation, header, footer')
    .option('--markdown', 'only the article as Markdown')
    .option('--visible-text', 'only all the text a visitor sees')
    .option('--links <n>', 'how many links to show', wholeNumber, 10)
    .option('--allow-private', 'also fetch from loopback and private addresses')
    .option('--user-agent <text>', 'introduce yourself under another name')
    .addHelpText('after', EXAMPLES)
    .action(async (source: string, _options: unknown, command: Command) => {
      await (await import('./show-inspection.ts')).showInspection(source, command);
    });
}
