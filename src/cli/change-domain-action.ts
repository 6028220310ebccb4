/** `domain add`, `set`, `activate`, `deactivate` and `remove`, and what each did in sentences. */
import type { Command } from 'commander';
import type { DomainSettings } from '../contract/domain-settings.ts';
import { changeSettings } from '../control/domains/change-settings.ts';
import { createDomain } from '../control/domains/create-domain.ts';
import { restAfterFence } from '../control/domains/fence-domain.ts';
import type { DomainDetails } from '../control/domains/read-domain.ts';
import { removeDomain } from '../control/domains/remove-domain.ts';
import { activateDomain, deactivateDomain, type SwitchReport } from '../control/domains/switch-domain.ts';
import { expectParser } from '../control/parsers/expect-parser.ts';
import { openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { readSettings, type SettingsOptions } from './domain-settings-options.ts';
import { UsageError } from './exit.ts';
import { formatCount, printable } from './format.ts';
import { formatInstant } from './moments.ts';

interface AddOptions extends SettingsOptions {
  readonly inactive?: true;
  readonly allowPrivate?: true;
}

/** What a worker looks at again while it has the domain. */
const SEEN_AT_WORK: ReadonlySet<string> = new Set<keyof DomainSettings>([
  'proxyMode',
  'proxyCountry',
  'proxyRequestsPerHour',
]);

export async function addAndTell(name: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<AddOptions>();
  const overrides = options.allowPrivate === undefined ? {} : { allowPrivate: true };
  const context = makeContext(command, overrides);
  const settings = readSettings(options);
  await checkParser(context, settings);
  const isActive = options.inactive !== true;
  const given = { text: name, isActive, settings, allowPrivate: context.config.allowPrivate, source: 'cli' };
  const created = await withDatabase(context.config, (db) => createDomain(db, given, cliActor()));
  tell(context, created, [
    `${created.domain} is known now, beginning at ${created.baseUrl}.`,
    isActive ? 'Workers take it when its turn comes.' : 'It is switched off until somebody activates it.',
  ]);
}

export async function setAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const settings = readSettings(command.optsWithGlobals<SettingsOptions>());
  if (Object.keys(settings).length === 0) {
    throw new UsageError('Nothing to set: no setting was given.', 'give one such as --delay 5');
  }
  await checkParser(context, settings);
  const changed = await withDatabase(context.config, (db) => changeSettings(db, name, settings, cliActor()));
  tell(context, changed, [`${changed.domain} has its new settings.`, describeEffect(changed, settings)]);
}

/** Files of parsers are read only where one is named. */
async function checkParser({ config }: CommandContext, settings: DomainSettings): Promise<void> {
  if (settings.parserName === undefined) return;
  expectParser(settings, await openConfiguredParsers(config));
}

function describeEffect({ isClaimed, claimedBy, domain }: DomainDetails, given: DomainSettings): string {
  if (!isClaimed) return 'They hold from the next claim on.';
  if (Object.keys(given).every((name) => SEEN_AT_WORK.has(name))) {
    return `The worker ${claimedBy} has it, and goes by them within seconds.`;
  }
  return `The worker ${claimedBy} has it and goes on under the old ones until it gives it back; "forager domain deactivate ${domain}" and "activate" take it away at once.`;
}

export async function activateAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const report = await withDatabase(context.config, (db) => activateDomain(db, name, cliActor()));
  tell(context, report, [
    report.wasActive ? `${report.domain} was active already.` : `${report.domain} may be crawled again.`,
  ]);
}

export async function deactivateAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const restMs = restAfterFence(context.config.requestTimeoutMs);
  const report = await withDatabase(context.config, (db) => deactivateDomain(db, name, restMs, cliActor()));
  tell(context, report, [
    report.wasActive
      ? `${report.domain} is switched off: nobody claims it any more.`
      : `${report.domain} was switched off already.`,
    ...describeFence(report),
  ]);
}

function describeFence({ fencedWorker, restsUntil }: SwitchReport): string[] {
  if (fencedWorker === null || restsUntil === null) return [];
  return [
    `The worker ${fencedWorker} had it: it can write nothing more about it. Its last requests may be under way until ${formatInstant(restsUntil)}.`,
  ];
}

export async function removeAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  if (command.optsWithGlobals<{ yes?: true }>().yes !== true) {
    throw new UsageError(
      `That would remove ${printable(name)} with all its pages.`,
      'add --yes if that is meant; "forager domain deactivate" only keeps it from being crawled',
    );
  }
  const restMs = restAfterFence(context.config.requestTimeoutMs);
  const removed = await withDatabase(context.config, (db) => removeDomain(db, name, restMs, cliActor()));
  const { urls, pages, fetches, tasks, products } = removed;
  const sold = products === 0 ? '' : `, ${formatCount(products)} products and prices`;
  tell(context, removed, [
    `${removed.domain} is gone: ${formatCount(urls)} URLs, ${formatCount(pages)} pages, ${formatCount(fetches)} fetches in the log, ${formatCount(tasks)} tasks${sold}.`,
    'Page bodies stay in the archive. A link or a seed may make it known again.',
  ]);
}

function tell(context: CommandContext, result: object, sentences: readonly string[]): void {
  if (context.isJson) context.printJson(result);
  else for (const sentence of sentences) context.printLine(printable(sentence));
}
