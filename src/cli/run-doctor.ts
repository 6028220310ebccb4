/** Runs the doctor's checks and prints them with the table of settings. */
import type { Command } from 'commander';
import type { Check } from '../control/doctor/check.ts';
import { checkBodies } from '../control/doctor/check-bodies.ts';
import { checkBots } from '../control/doctor/check-bots.ts';
import { checkBroker } from '../control/doctor/check-broker.ts';
import { checkConfig } from '../control/doctor/check-config.ts';
import { checkDataDir } from '../control/doctor/check-data-dir.ts';
import { checkDatabase } from '../control/doctor/check-database.ts';
import { checkImages } from '../control/doctor/check-images.ts';
import { checkParserFiles, checkParserUse } from '../control/doctor/check-parsers.ts';
import { checkProxies } from '../control/doctor/check-proxies.ts';
import { checkRoles } from '../control/doctor/check-roles.ts';
import { checkSearch } from '../control/doctor/check-search.ts';
import { checkSecrets } from '../control/doctor/check-secrets.ts';
import { imagesDirectory } from '../control/images/images-directory.ts';
import { openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import { type ConfigOverrides, configTable, loadConfig, type SettingLine } from '../platform/config.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import type { GlobalOptions } from './context.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { fitTable } from './fit-table.ts';
import { formatTable, printable } from './format.ts';
import { printBelow } from './print-below.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { warcDirectory } from './warc-directory.ts';
import { wrapFor } from './wrap-text.ts';

const SHORTEST_VALUE = 20;

export async function runDoctor(command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const overrides: ConfigOverrides = options.dataDir === undefined ? {} : { dataDir: options.dataDir };
  const checks: Check[] = [checkProgram(), ...checkConfig(overrides)];
  // The rest rests on settings that can be read.
  if (checks.every((check) => check.state !== 'wrong')) checks.push(...(await checkGround(overrides)));
  const isWell = checks.every((check) => check.state !== 'wrong');
  if (options.json)
    process.stdout.write(`${JSON.stringify({ isWell, checks, settings: configTable(overrides) })}\n`);
  else printReport(openTerminal(process.stdout, wantsColour(options, overrides)), checks, overrides);
  if (!isWell) throw new QuietExit(EXIT_FAILED);
}

/** Read off the table, since settings that cannot be read must not keep the doctor from speaking. */
function wantsColour(options: GlobalOptions, overrides: ConfigOverrides): boolean {
  const isUnset = configTable(overrides).some((line) => line.key === 'noColor' && line.source === 'default');
  return options.color !== false && isUnset;
}

function checkProgram(): Check {
  const message = `Forager ${readProgramVersion()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return { name: 'program', state: 'ok', message };
}

async function checkGround(overrides: ConfigOverrides): Promise<Check[]> {
  const config = loadConfig(overrides);
  const parsers = await openConfiguredParsers(config);
  const checks = [...(await checkDataDir(config.dataDir)), ...(await checkBroker(config))];
  // Without a data directory the embedded database cannot even be looked for.
  const isUsable = checks.every((check) => check.state !== 'wrong') || config.databaseUrl !== undefined;
  const all = [...checks, ...checkParserFiles(parsers)];
  if (!isUsable) return all;
  return [
    ...all,
    ...(await checkDatabase(config, async (db) => [
      ...(await checkSecrets(db, config)),
      ...(await checkRoles(db)),
      ...(await checkProxies(db, config)),
      ...(await checkBots(db)),
      ...(await checkSearch(db, config)),
      ...(await checkParserUse(db, parsers)),
      ...(await checkBodies(db, warcDirectory(config))),
      ...(await checkImages(db, imagesDirectory(config))),
    ])),
  ];
}

function printReport(out: Terminal, checks: readonly Check[], overrides: ConfigOverrides): void {
  const { style } = out;
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), wrong: style.red('✗') };
  const width = Math.max(...checks.map((check) => check.name.length));
  const indent = ' '.repeat(width + 4);
  for (const { name, state, message, fix } of checks) {
    const [first = '', ...rest] = wrapFor(out, printable(message), indent.length);
    out.write(`${marks[state]} ${name.padEnd(width)}  ${first}\n`);
    for (const line of rest) out.write(`${indent}${line}\n`);
    if (fix === undefined) continue;
    for (const line of wrapFor(out, `fix: ${printable(fix)}`, indent.length)) out.write(`${indent}${line}\n`);
  }
  printSettings(out, configTable(overrides));
  out.write(`\n${tellVerdict(checks)}\n`);
}

/** A pipe gets a line for each setting; people get what a setting means below it. */
function printSettings(out: Terminal, settings: readonly SettingLine[]): void {
  const printLine = (line = ''): void => out.write(`${line}\n`);
  const columns = [
    { title: 'VARIABLE' },
    { title: 'VALUE', least: SHORTEST_VALUE },
    { title: 'FROM', drop: 1 },
  ];
  const cellsOf = ({ env, value, source }: SettingLine): string[] => [env, printable(value), source];
  printLine(`\n${out.style.bold('Settings')}`);
  if (!out.isInteractive) {
    const rows = settings.map((setting) => [...cellsOf(setting), setting.sentence]);
    for (const line of formatTable([...columns, { title: 'MEANING' }], rows)) printLine(line);
    return;
  }
  const [head = '', ...lines] = fitTable(out, columns, settings.map(cellsOf));
  printLine(head);
  for (const [index, line] of lines.entries()) {
    printLine(line);
    printBelow({ out, printLine }, settings[index]?.sentence ?? '');
  }
}

function tellVerdict(checks: readonly Check[]): string {
  const wrongCount = checks.filter((check) => check.state === 'wrong').length;
  const warningCount = checks.filter((check) => check.state === 'warning').length;
  const warnings = `${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`;
  if (wrongCount > 0) {
    const broken = `${wrongCount} ${wrongCount === 1 ? 'thing is' : 'things are'} wrong`;
    return warningCount === 0
      ? `${broken}.`
      : `${broken}, and there ${warningCount === 1 ? 'is' : 'are'} ${warnings}.`;
  }
  return warningCount === 0 ? 'Everything is well.' : `${warnings}; nothing is broken.`;
}
