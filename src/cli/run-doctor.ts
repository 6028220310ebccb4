/** Runs the doctor's checks and prints them with the table of settings. */
import type { Command } from 'commander';
import type { Check } from '../control/doctor/check.ts';
import { checkBodies } from '../control/doctor/check-bodies.ts';
import { checkBroker } from '../control/doctor/check-broker.ts';
import { checkConfig } from '../control/doctor/check-config.ts';
import { checkDataDir } from '../control/doctor/check-data-dir.ts';
import { checkDatabase } from '../control/doctor/check-database.ts';
import { checkRoles } from '../control/doctor/check-roles.ts';
import { checkSecrets } from '../control/doctor/check-secrets.ts';
import { type ConfigOverrides, configTable, loadConfig } from '../platform/config.ts';
import { readProgramVersion } from '../platform/program-version.ts';
import type { GlobalOptions } from './context.ts';
import { EXIT_FAILED, QuietExit } from './exit.ts';
import { formatTable, printable } from './format.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { warcDirectory } from './warc-directory.ts';

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
  const checks = [...(await checkDataDir(config.dataDir)), ...(await checkBroker(config))];
  // Without a data directory the embedded database cannot even be looked for.
  const isUsable = checks.every((check) => check.state !== 'wrong') || config.databaseUrl !== undefined;
  if (!isUsable) return checks;
  return [
    ...checks,
    ...(await checkDatabase(config, async (db) => [
      ...(await checkSecrets(db, config)),
      ...(await checkRoles(db)),
      ...(await checkBodies(db, warcDirectory(config))),
    ])),
  ];
}

function printReport(out: Terminal, checks: readonly Check[], overrides: ConfigOverrides): void {
  const { style } = out;
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), wrong: style.red('✗') };
  const width = Math.max(...checks.map((check) => check.name.length));
  for (const { name, state, message, fix } of checks) {
    out.write(`${marks[state]} ${name.padEnd(width)}  ${printable(message)}\n`);
    if (fix !== undefined) out.write(`  ${' '.repeat(width)}  fix: ${printable(fix)}\n`);
  }
  out.write(`\n${style.bold('Settings')}\n`);
  const lines = formatTable(
    [{ title: 'VARIABLE' }, { title: 'VALUE' }, { title: 'FROM' }, { title: 'MEANING' }],
    configTable(overrides).map((line) => [line.env, printable(line.value), line.source, line.sentence]),
  );
  for (const line of lines) out.write(`${line}\n`);
  out.write(`\n${tellVerdict(checks)}\n`);
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
