import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BootstrapProblem, showProgress } from './problem.mjs';

const stampName = '.forager-installed';

/** True if node_modules is what package-lock.json asks for, on this kind of machine. */
export function dependenciesAreInstalled(root) {
  const wanted = lockFingerprint(root);
  if (readText(stampPath(root)) === wanted) return true;
  if (!installedTreeMatchesLock(root)) return false;
  // Someone ran npm by hand: remember that it fits, if we may.
  writeStamp(root, wanted);
  return true;
}

// Install scripts are not needed by anything here, and many places block them: behave the same everywhere.
const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--include=dev'];

export async function installDependencies(root) {
  const progress = showProgress('Installing dependencies');
  let result = await runNpm(root, ['ci', ...npmOptions]);
  // "npm ci" insists on a lock file with the binaries for every other platform too. A lock file made where a
  // registry does not carry those lacks them; "npm install" takes the same locked versions and minds only ours.
  if (result.code !== 0 && result.output.includes('EUSAGE')) {
    result = await runNpm(root, ['install', '--no-save', ...npmOptions]);
  }
  if (result.code !== 0) {
    progress.fail();
    throw new BootstrapProblem(
      `The dependencies could not be installed: "npm ${result.command}" in ${root} ${describeEnd(result)}.`,
      'see what npm says above (mostly the network, a proxy, or the npm registry setting), then run the command again',
      result.output,
    );
  }
  mkdirSync(path.join(root, 'node_modules', '.bin'), { recursive: true });
  linkOwnCommand(root);
  writeStamp(root, lockFingerprint(root));
  progress.end();
}

/** npm links the commands of dependencies only; with its own one there too, npx need not look further. */
function linkOwnCommand(root) {
  if (process.platform === 'win32') return;
  const link = path.join(root, 'node_modules', '.bin', 'forager');
  rmSync(link, { force: true });
  symlinkSync(path.join('..', '..', 'bin', 'forager.mjs'), link);
}

function describeEnd(result) {
  if (result.spawnError) return `could not be started (${result.spawnError})`;
  return result.signal ? `was ended by ${result.signal}` : `ended with exit code ${result.code}`;
}

function runNpm(root, args) {
  // When npm itself started us it says where it is; that also works where "npm" is not on the path.
  const npmScript = process.env.npm_execpath;
  const isNpmScript = npmScript !== undefined && /npm-cli\.c?js$/.test(npmScript) && existsSync(npmScript);
  const [command, prefix] = isNpmScript ? [process.execPath, [npmScript]] : ['npm', []];
  return new Promise((resolve) => {
    let output = '';
    const end = { command: args[0] };
    const child = spawn(command, [...prefix, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && !isNpmScript,
    });
    const keep = (chunk) => {
      output = (output + chunk).slice(-8000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) =>
      resolve({ ...end, code: -1, output, spawnError: error.code ?? error.message }),
    );
    child.on('close', (code, signal) => resolve({ ...end, code, signal, output }));
  });
}

function lockFingerprint(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  const nodeMajor = process.versions.node.split('.')[0];
  return createHash('sha256')
    .update(lock)
    .update(`\n${process.platform} ${process.arch} node ${nodeMajor}\n`)
    .digest('hex');
}

/** npm leaves a record of what it put on disk; compare that with the lock file, package by package. */
function installedTreeMatchesLock(root) {
  const record = readJson(path.join(root, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages ?? {};
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const installed = record.packages?.[place];
    if (installed === undefined) return entry.optional === true && !suitsThisMachine(entry);
    return installed.version === entry.version && existsSync(path.join(root, place, 'package.json'));
  });
}

function suitsThisMachine(entry) {
  const allows = (list, value) => !list || (list.includes(value) && !list.includes(`!${value}`));
  if (!allows(entry.os, process.platform) || !allows(entry.cpu, process.arch)) return false;
  // Only Linux has two kinds of C library, and only packages that care say which.
  if (!entry.libc || process.platform !== 'linux') return true;
  const hasGlibc = Boolean(process.report?.getReport().header.glibcVersionRuntime);
  return entry.libc.includes(hasGlibc ? 'glibc' : 'musl');
}

function stampPath(root) {
  return path.join(root, 'node_modules', stampName);
}

function writeStamp(root, text) {
  try {
    writeFileSync(stampPath(root), text);
  } catch {
    // A read-only checkout: the comparison is simply made again next time.
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
