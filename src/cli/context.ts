/** What every command needs: settings, and most of them the database, opened, up to date and closed again. */
import type { Command } from 'commander';
import { type Config, loadConfig, type RoleDefaults } from '../platform/config.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { migrateUp } from '../platform/migrate.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface GlobalOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly color?: boolean;
}

export interface CommandContext {
  readonly config: Config;
  readonly isJson: boolean;
  readonly out: Terminal;
  readonly err: Terminal;
  /** A command to be typed next, on the same data directory. */
  suggest(words: string): string;
  /** Results for machines: one line of JSON on standard output. */
  printJson(value: unknown): void;
  printLine(line?: string): void;
}

export function makeContext(
  command: Command,
  overrides: Record<string, unknown> = {},
  roleDefaults: RoleDefaults = {},
): CommandContext {
  const options = command.optsWithGlobals<GlobalOptions>();
  const given = { ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }), ...overrides };
  const config = loadConfig(given, undefined, roleDefaults);
  const isOwnDirectory =
    options.dataDir !== undefined ||
    overrides.dataDir !== undefined ||
    config.dataDir === roleDefaults.dataDir;
  const sameDirectory = isOwnDirectory ? ` --data-dir ${quoteForShell(config.dataDir)}` : '';
  const wantsColour = options.color !== false && config.noColor === undefined;
  const out = openTerminal(process.stdout, wantsColour);
  return {
    config,
    isJson: options.json === true,
    out,
    err: openTerminal(process.stderr, wantsColour),
    suggest: (words) => `npx forager ${words}${sameDirectory}`,
    printJson: (value) => out.write(`${JSON.stringify(value, jsonValue)}\n`),
    printLine: (line = '') => out.write(`${line}\n`),
  };
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function jsonValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Opens the database, brings its schema up to date, and closes it whatever happens. */
export async function withDatabase<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config);
  try {
    await migrateUp(db);
    return await use(db);
  } finally {
    await db.close();
  }
}
