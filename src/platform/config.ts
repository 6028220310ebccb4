import type { z } from 'zod';
import { PlatformError } from './errors.ts';
import { findNearest } from './nearest-name.ts';
import { redactUrl } from './redact-url.ts';
import { type Setting, settings } from './settings.ts';

export type SettingKey = keyof typeof settings;

/** Every setting with its value, validated: what the rest of the program is given. */
export type Config = { readonly [K in SettingKey]: z.output<(typeof settings)[K]['type']> };

/** Values that win over the environment, as a command line gives them. */
export type ConfigOverrides = { readonly [K in SettingKey]?: unknown };

/** One line of the table as `doctor` and the documentation print it. */
export interface SettingLine {
  readonly key: SettingKey;
  readonly env: string;
  readonly default: string;
  readonly value: string;
  readonly source: 'default' | 'environment' | 'command line';
  readonly sentence: string;
}

/** Defaults of one role of the program, where they differ from the table's. */
export type RoleDefaults = { readonly [K in SettingKey]?: Config[K] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings once, at start. The only place in the program that looks at the environment.
 * All bad values are told at once, one sentence each.
 */
export function loadConfig(
  overrides: ConfigOverrides = {},
  environment: Environment = process.env,
  roleDefaults: RoleDefaults = {},
): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, setting] of settingEntries()) {
    const given = findGiven(key, setting, overrides, environment, roleDefaults);
    const parsed = setting.type.safeParse(given.value);
    if (parsed.success) values[key] = parsed.data;
    else problems.push(describeProblem(key, setting, given, parsed.error));
  }
  if (problems.length === 0) problems.push(...findContradictions(values as Config));
  if (problems.length > 0) {
    throw new PlatformError('bad-setting', problems.join('\n'), {
      hint: 'correct or remove the setting; "forager doctor" lists all settings with their meaning',
    });
  }
  return Object.freeze(values) as Config;
}

/** The table of settings, with what holds now if a configuration is given. Secrets are not in it. */
export function configTable(
  overrides: ConfigOverrides = {},
  environment: Environment = process.env,
): SettingLine[] {
  return settingEntries().map(([key, setting]) => {
    const given = findGiven(key, setting, overrides, environment);
    const parsed = setting.type.safeParse(given.value);
    return {
      key,
      env: setting.env,
      default: showValue(key, setting.default),
      value: parsed.success ? showValue(key, parsed.data) : `invalid: ${showValue(key, given.value)}`,
      source: given.source,
      sentence: setting.sentence,
    };
  });
}

export interface UnknownVariable {
  readonly env: string;
  /** The setting that was probably meant. */
  readonly nearest: string | undefined;
}

/** Variables that look like ours and are no setting: misspelt, most likely, and without any effect. */
export function findUnknownVariables(environment: Environment = process.env): UnknownVariable[] {
  const known = settingEntries().map(([, setting]) => setting.env);
  return Object.entries(environment)
    .filter(([env, text]) => /^FORAGER_/i.test(env) && !known.includes(env) && (text ?? '').trim() !== '')
    .map(([env]) => ({ env, nearest: findNearest(env, known) }))
    .sort((a, b) => a.env.localeCompare(b.env, 'en'));
}

interface Given {
  readonly value: unknown;
  readonly source: SettingLine['source'];
}

function findGiven(
  key: SettingKey,
  setting: Setting<unknown>,
  overrides: ConfigOverrides,
  environment: Environment,
  roleDefaults: RoleDefaults = {},
): Given {
  const override = overrides[key];
  if (override !== undefined) return { value: override, source: 'command line' };
  const text = environment[setting.env];
  // An empty variable is how shells and compose files say "not set".
  if (text !== undefined && text.trim() !== '') return { value: text, source: 'environment' };
  return { value: roleDefaults[key] ?? setting.default, source: 'default' };
}

/** What each setting allows by itself, but not together. */
function findContradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.leaseSeconds * 1000 <= config.requestTimeoutMs) {
    problems.push(
      `A lease of ${config.leaseSeconds} s (FORAGER_LEASE_SECONDS) is no longer than a request may take, ` +
        `${config.requestTimeoutMs / 1000} s (FORAGER_REQUEST_TIMEOUT_MS): another worker could ask the same ` +
        'domain while an answer is still under way.',
    );
  }
  if (config.refreshFloorHours > config.refreshCeilingDays * 24) {
    problems.push(
      `The shortest time between readings, ${config.refreshFloorHours} h (FORAGER_REFRESH_FLOOR_HOURS), is ` +
        `longer than the longest, ${config.refreshCeilingDays} days (FORAGER_REFRESH_CEILING_DAYS).`,
    );
  }
  return problems;
}

function describeProblem(
  key: SettingKey,
  setting: Setting<unknown>,
  given: Given,
  error: z.ZodError,
): string {
  const place = given.source === 'environment' ? `environment variable ${setting.env}` : `setting ${key}`;
  const wanted = error.issues[0]?.message ?? 'another value';
  return `The ${place} is ${showValue(key, given.value)}, but must be ${wanted}.`;
}

function showValue(key: SettingKey, value: unknown): string {
  if (value === undefined) return '(not set)';
  if (key === 'secretKey') return '(hidden)';
  if (key === 'databaseUrl' || key === 'redisUrl' || key === 'amqpUrl' || key === 'searchUrl')
    return redactUrl(String(value));
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function settingEntries(): [SettingKey, Setting<unknown>][] {
  return Object.entries(settings) as [SettingKey, Setting<unknown>][];
}
