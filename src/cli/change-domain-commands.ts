/** The part of `forager domain …` that changes what a domain is told. */
import type { Command } from 'commander';
import { addSettingsOptions } from './domain-settings-options.ts';

const ADD_EXAMPLES = `
Examples:
  forager domain add example.com
  forager domain add https://example.com/shop/ --delay 5 --max-depth 3
  forager domain add example.com --exclude '/calendar/' --inactive

The page that was named, or the home page, is due at once. "forager seed" adds many at a time.`;

const SET_EXAMPLES = `
Examples:
  forager domain set example.com --delay 5 --concurrency 1
  forager domain set example.com --scope domain --include '^https://[^/]+/shop/'
  forager domain set example.com --delay default --include default
  forager domain set example.com --maintenance 23:30-04:00 --maintenance-timezone Europe/Berlin

What is not named stays as it is; "default" brings back what the program does by itself. Settings hold from the next
claim on. --scope, --include, --exclude and --max-depth hold for workers; "forager crawl" has options of its own.`;

const SWITCH_EXAMPLES = `
Examples:
  forager domain deactivate example.com
  forager domain activate example.com

A domain that is switched off is never claimed; a worker that has it is fenced out and stops within seconds. Its state
and everything known about it stay. Doing it twice is harmless.`;

const PAUSE_EXAMPLES = `
Examples:
  forager domain pause example.com
  forager domain resume example.com

Other words for deactivate and activate: nothing of the domain is crawled until it is resumed, and its tasks wait as
they are. Doing it twice is harmless.`;

const REMOVE_EXAMPLES = `
Examples:
  forager domain remove example.com --yes

Its URLs, pages and log go, in portions; page bodies stay in the archive. If it is interrupted the domain is left
switched off: the same command removes the rest. A link or a seed may make the domain known again.`;

const NAME = 'its name in any spelling, or a URL of it';

export function addChangeCommands(domain: Command): void {
  addSettingsOptions(
    domain
      .command('add')
      .description('make a domain known, with settings of its own')
      .argument('<domain>', NAME),
  )
    .option('--inactive', 'do not crawl it until it is activated')
    .option('--allow-private', 'also one at a loopback or private address')
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).addAndTell(name, command);
    });
  addSettingsOptions(
    domain.command('set').description('change the settings of a domain').argument('<domain>', NAME),
  )
    .addHelpText('after', SET_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).setAndTell(name, command);
    });
  domain
    .command('activate')
    .description('let a domain be crawled again')
    .argument('<domain>', NAME)
    .addHelpText('after', SWITCH_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).activateAndTell(name, command);
    });
  domain
    .command('deactivate')
    .description('switch a domain off: nobody claims it any more')
    .argument('<domain>', NAME)
    .addHelpText('after', SWITCH_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).deactivateAndTell(name, command);
    });
  domain
    .command('pause')
    .description('pause a domain with all its tasks (the same as deactivate)')
    .argument('<domain>', NAME)
    .addHelpText('after', PAUSE_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).deactivateAndTell(name, command);
    });
  domain
    .command('resume')
    .description('let a paused domain and its tasks go on (the same as activate)')
    .argument('<domain>', NAME)
    .addHelpText('after', PAUSE_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).activateAndTell(name, command);
    });
  domain
    .command('remove')
    .description('remove a domain and everything known about it')
    .argument('<domain>', NAME)
    .option('--yes', 'that is meant')
    .addHelpText('after', REMOVE_EXAMPLES)
    .action(async (name: string, _options: unknown, command: Command) => {
      await (await import('./change-domain-action.ts')).removeAndTell(name, command);
    });
}
