/**
 * What a run costs, read from /proc. The command's own CPU time comes exactly from the kernel: what a child
 * used, with all the children it waited for, is added to its parent's account when the parent reaps it. The
 * database server may live outside that family, so it is found by its postmaster.pid and read while it runs:
 * a backend that ended is in the postmaster's account, those alive are added to it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const SAMPLE_EVERY_MS = 200;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Runs a command to its end.
 * @param {{ args: string[], env?: Record<string, string>, cwd?: string, dataDir?: string,
 *   onStart?: (child: import('node:child_process').ChildProcess) => void }} command node and its arguments
 */
export async function runMetered({ dataDir, onStart, ...command }) {
  const { commands, ...figures } = await runMeteredTogether([command], {
    dataDir,
    onStart: onStart === undefined ? undefined : ([child]) => onStart(child),
  });
  return { ...figures, ...commands[0] };
}

/**
 * Runs commands side by side, each to its end: what each did and needed, and what all of them cost.
 * @param {{ args: string[], env?: Record<string, string>, cwd?: string }[]} commands node and its arguments
 * @param {{ dataDir?: string, onStart?: (children: import('node:child_process').ChildProcess[]) => void }} options
 */
export async function runMeteredTogether(commands, { dataDir, onStart } = {}) {
  const database = watchDatabase(dataDir);
  const reapedBefore = readReapedSeconds();
  const startedAt = performance.now();
  const runs = commands.map((command) => startRun(command, startedAt));
  onStart?.(runs.map(({ child }) => child));

  const sample = () => {
    const processes = listProcesses();
    for (const { child, usage } of runs) {
      usage.ownTicks = processes.get(child.pid)?.ownTicks ?? usage.ownTicks;
      for (const pid of listFamily(processes, child.pid)) {
        if (processes.get(pid).name === 'postgres') continue;
        usage.peakKbByPid.set(pid, readPeakKb(pid) ?? usage.peakKbByPid.get(pid) ?? 0);
      }
    }
    database.sample(processes, runs[0].child.pid);
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  const ended = await Promise.all(runs.map(({ end }) => end));
  clearInterval(timer);
  const wallMs = performance.now() - startedAt;
  database.sample(listProcesses(), runs[0].child.pid);
  const reapedSeconds = readReapedSeconds() - reapedBefore;
  const databaseSeconds = database.readSeconds();
  const ownSeconds = runs.reduce((sum, { usage }) => sum + usage.ownTicks, 0) / TICKS_PER_SECOND;
  // A server that the command started and waited for is in the command's account already; one that outlived
  // it, if only by a moment, is not. What the account holds beyond the command's own time tells which.
  const isDatabaseReaped = reapedSeconds - ownSeconds > databaseSeconds / 2;
  return {
    commands: runs.map(({ usage }, index) => ({
      ...ended[index],
      /** Of the process itself, as last seen. */
      ownSeconds: usage.ownTicks / TICKS_PER_SECOND,
      peakMb: [...usage.peakKbByPid.values()].reduce((sum, kb) => sum + kb, 0) / 1024,
    })),
    wallMs,
    cpuSeconds: reapedSeconds + (isDatabaseReaped ? 0 : databaseSeconds),
    databaseSeconds,
  };
}

function startRun({ args, env = {}, cwd }, startedAt) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-20_000);
  });
  const end = new Promise((resolve) => {
    child.once('close', (exitCode, signal) => {
      resolve({ exitCode, signal, stdout, stderr, wallMs: performance.now() - startedAt });
    });
  });
  return { child, end, usage: { ownTicks: 0, peakKbByPid: new Map() } };
}

/** Adds up the time of every server seen at work on the data directory, from now on. */
function watchDatabase(dataDir) {
  const servers = new Map();

  function sample(processes, commandPid) {
    const pid = dataDir === undefined ? undefined : findPostmaster(dataDir, processes, commandPid);
    if (pid === undefined) return;
    const ticks = sumFamilyTicks(processes, pid);
    // A server that was there before the run has used time that is not this run's.
    const firstTicks = servers.get(pid)?.firstTicks ?? (commandPid === undefined ? ticks : 0);
    servers.set(pid, { firstTicks, lastTicks: ticks });
  }

  sample(listProcesses(), undefined);
  return {
    sample,
    readSeconds: () =>
      [...servers.values()].reduce((sum, { firstTicks, lastTicks }) => sum + lastTicks - firstTicks, 0) /
      TICKS_PER_SECOND,
  };
}

/**
 * Process id of the server that keeps its files under the data directory; failing that, of the command's own
 * server, which may keep them elsewhere. (initdb, too, runs servers: they are not meant.)
 */
export function findPostmaster(dataDir, processes = listProcesses(), commandPid = undefined) {
  for (const file of findFiles(dataDir, 'postmaster.pid', 4)) {
    const pid = Number.parseInt(readText(file) ?? '', 10);
    if (processes.get(pid)?.name === 'postgres') return pid;
  }
  if (commandPid === undefined) return undefined;
  for (const pid of listFamily(processes, commandPid)) {
    const { name, parent } = processes.get(pid);
    const parentName = processes.get(parent)?.name;
    if (name === 'postgres' && parentName !== 'postgres' && parentName !== 'initdb') return pid;
  }
  return undefined;
}

/** What a process and all its descendants have used so far, those that ended included. */
export function readFamilySeconds(pid) {
  return sumFamilyTicks(listProcesses(), pid) / TICKS_PER_SECOND;
}

function sumFamilyTicks(processes, rootPid) {
  let ticks = 0;
  for (const pid of listFamily(processes, rootPid)) {
    const { ownTicks, reapedTicks } = processes.get(pid);
    ticks += ownTicks + reapedTicks;
  }
  return ticks;
}

function listProcesses() {
  const processes = new Map();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readText(`/proc/${entry}/stat`) : undefined;
    if (stat === undefined) continue;
    // The name stands in brackets and may itself hold brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    processes.set(Number(entry), {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      parent: Number(fields[1]),
      ownTicks: Number(fields[11]) + Number(fields[12]),
      reapedTicks: Number(fields[13]) + Number(fields[14]),
    });
  }
  return processes;
}

/** The process and all its descendants that are alive. */
function listFamily(processes, rootPid) {
  const family = new Set();
  if (rootPid === undefined || !processes.has(rootPid)) return family;
  family.add(rootPid);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, { parent }] of processes) if (family.has(parent)) family.add(pid);
  }
  return family;
}

function readReapedSeconds() {
  return listProcesses().get(process.pid).reapedTicks / TICKS_PER_SECOND;
}

function readPeakKb(pid) {
  const match = /^VmHWM:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`) ?? '');
  return match === null ? undefined : Number(match[1]);
}

function findFiles(directory, name, depth) {
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const full = path.join(directory, entry.name);
    if (entry.name === name) return [full];
    return entry.isDirectory() && depth > 0 && entry.name !== 'base' ? findFiles(full, name, depth - 1) : [];
  });
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
