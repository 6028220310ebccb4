/** The settings of a domain as options of a command. `default` brings back what the program itself would do. */
import { type Command, InvalidArgumentError } from 'commander';
import { type DomainSettings, domainSettingsPatch } from '../contract/domain-settings.ts';
import { UsageError } from './exit.ts';
import { type OptionOf, parseOptions } from './explain-option.ts';

/** Kept as the word: an option that is null would count as one without a value. */
const DEFAULT = 'default';
type OrDefault<T> = T | typeof DEFAULT;

export interface SettingsOptions {
  readonly delay?: OrDefault<number>;
  readonly concurrency?: OrDefault<number>;
  readonly maxPages?: OrDefault<number>;
  readonly userAgent?: OrDefault<string>;
  readonly scope?: OrDefault<string>;
  readonly include?: OrDefault<readonly string[]>;
  readonly exclude?: OrDefault<readonly string[]>;
  readonly maxDepth?: OrDefault<number>;
  readonly parser?: OrDefault<string>;
  readonly images?: OrDefault<string>;
  readonly language?: OrDefault<string>;
  readonly every?: OrDefault<number>;
  readonly explored?: OrDefault<boolean>;
  readonly maintenance?: OrDefault<TimesOfDay>;
  readonly maintenanceTimezone?: string;
  readonly proxyMode?: OrDefault<string>;
  readonly proxyCountry?: OrDefault<string>;
  readonly proxyRotation?: OrDefault<string>;
  readonly proxyRequestsPerHour?: OrDefault<number>;
}

interface TimesOfDay {
  readonly start: string;
  readonly end: string;
}

export function addSettingsOptions(command: Command): Command {
  return command
    .option('--delay <seconds>', 'pause between two requests', orDefault(seconds))
    .option('--concurrency <n>', 'most requests open at once', orDefault(number))
    .option('--max-pages <n>', 'pages of one turn, or of one crawl', orDefault(number))
    .option('--user-agent <text>', 'introduce yourself to it under another name', orDefault(text))
    .option('--scope <scope>', 'how far links lead: host, domain or any', orDefault(text))
    .option('--include <regex>', 'only follow links that match (repeatable)', collectOrDefault)
    .option('--exclude <regex>', 'never follow links that match (repeatable)', collectOrDefault)
    .option('--max-depth <n>', 'follow links at most this far from a seed', orDefault(number))
    .option(
      '--parser <name>',
      'what reads products off its pages: generic, a site parser, or none ("forager parser list")',
      orDefault(text),
    )
    .option(
      '--images <which>',
      'fetch images of its pages too: off, products (those of products) or all',
      orDefault(text),
    )
    .option(
      '--language <code>',
      'the language its products and pages are searched in, such as de, whatever they declare',
      orDefault(text),
    )
    .option('--every <hours>', 'how often recurring tasks are done that do not say it', orDefault(number))
    .option('--explored <yes|no>', 'no: its tasks are done and nothing else is crawled', orDefault(yesOrNo))
    .option(
      '--maintenance <from-to>',
      'leave it alone every day between these times, such as 02:00-04:00',
      orDefault(timesOfDay),
    )
    .option('--maintenance-timezone <zone>', 'the zone of these times, such as Europe/Berlin (default: UTC)')
    .option(
      '--proxy-mode <mode>',
      'auto: through proxies where there are any; direct: never; required: never without one',
      orDefault(text),
    )
    .option('--proxy-country <code>', 'only through proxies of this country, such as DE', orDefault(text))
    .option(
      '--proxy-rotation <how>',
      'request: every request through another proxy; sticky: through one as long as possible',
      orDefault(text),
    )
    .option(
      '--proxy-requests-per-hour <n>',
      'most requests to it through any one proxy in an hour',
      orDefault(number),
    );
}

/** What was given, as the contract has it; throws a UsageError that says what is wrong. */
export function readSettings(options: SettingsOptions): DomainSettings {
  const given = {
    crawlDelayMs: options.delay,
    maxConcurrentRequests: options.concurrency,
    maxPagesPerRun: options.maxPages,
    userAgent: options.userAgent,
    scope: options.scope,
    include: options.include,
    exclude: options.exclude,
    maxDepth: options.maxDepth,
    parserName: options.parser,
    images: options.images,
    language: options.language,
    crawlFrequencyHours: options.every,
    isExplored: options.explored,
    maintenance: readMaintenance(options),
    proxyMode: options.proxyMode,
    proxyCountry: options.proxyCountry,
    proxyRotation: options.proxyRotation,
    proxyRequestsPerHour: options.proxyRequestsPerHour,
  };
  const named = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === DEFAULT ? null : value]),
  );
  return parseOptions(domainSettingsPatch, named, OPTION_OF);
}

/** A zone by itself says nothing: times are not kept apart from theirs. */
function readMaintenance({ maintenance, maintenanceTimezone: timezone }: SettingsOptions): unknown {
  if (timezone !== undefined && typeof maintenance !== 'object') {
    throw new UsageError('--maintenance-timezone needs --maintenance: the times that it is the zone of.');
  }
  if (typeof maintenance !== 'object') return maintenance;
  return { ...maintenance, ...(timezone === undefined ? {} : { timezone }) };
}

const OPTION_OF: Readonly<Record<string, OptionOf>> = {
  crawlDelayMs: { name: '--delay', scale: 1000 },
  maxConcurrentRequests: { name: '--concurrency' },
  maxPagesPerRun: { name: '--max-pages' },
  userAgent: { name: '--user-agent' },
  scope: { name: '--scope' },
  include: { name: '--include' },
  exclude: { name: '--exclude' },
  maxDepth: { name: '--max-depth' },
  parserName: { name: '--parser' },
  images: { name: '--images' },
  language: { name: '--language' },
  crawlFrequencyHours: { name: '--every' },
  isExplored: { name: '--explored' },
  maintenance: { name: '--maintenance' },
  proxyMode: { name: '--proxy-mode' },
  proxyCountry: { name: '--proxy-country' },
  proxyRotation: { name: '--proxy-rotation' },
  proxyRequestsPerHour: { name: '--proxy-requests-per-hour' },
};

function orDefault<T>(read: (given: string) => T): (given: string) => OrDefault<T> {
  return (given) => (given === DEFAULT ? DEFAULT : read(given));
}

function collectOrDefault(
  given: string,
  before?: OrDefault<readonly string[]>,
): OrDefault<readonly string[]> {
  if (given === DEFAULT) return DEFAULT;
  return [...(before === undefined || before === DEFAULT ? [] : before), given];
}

const text = (given: string): string => given;

function yesOrNo(given: string): boolean {
  if (given !== 'yes' && given !== 'no') throw new InvalidArgumentError('It must be yes, no or "default".');
  return given === 'yes';
}

function number(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new InvalidArgumentError('It must be a whole number, or "default".');
  return Number(given);
}

function seconds(given: string): number {
  const value = Number(given);
  if (given.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('It must be a number of seconds such as 0.5, or "default".');
  }
  return Math.round(value * 1000);
}

function timesOfDay(given: string): TimesOfDay {
  const [, start, end] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(given) ?? [];
  if (start === undefined || end === undefined) {
    throw new InvalidArgumentError('It must be two times such as 02:00-04:00, or "default".');
  }
  return { start, end };
}
