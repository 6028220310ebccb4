import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Two bootstraps of one checkout take turns; a lock whose holder is gone is taken over. */
export async function withCheckoutLock(root, work) {
  const directory = path.join(root, '.forager', 'bootstrap.lock');
  mkdirSync(path.dirname(directory), { recursive: true });
  while (!tryTake(directory)) {
    if (isAbandoned(directory)) takeAway(directory);
    else await pause(100);
  }
  try {
    return await work();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function tryTake(directory) {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(path.join(directory, 'pid'), String(process.pid));
  return true;
}

function isAbandoned(directory) {
  const pid = readPid(directory);
  if (pid !== undefined) return !isAlive(pid);
  try {
    // No pid yet: the holder is about to write it, unless it died in between.
    return Date.now() - statSync(directory).mtimeMs > 10_000;
  } catch {
    return false;
  }
}

/** Moved aside first: of two that find the lock abandoned only one can move it. */
function takeAway(directory) {
  const aside = `${directory}.${process.pid}`;
  try {
    renameSync(directory, aside);
  } catch {
    return;
  }
  const pid = readPid(aside);
  if (pid !== undefined && isAlive(pid)) {
    // Another one was quicker and this is its new lock: give it back.
    try {
      renameSync(aside, directory);
      return;
    } catch {}
  }
  rmSync(aside, { recursive: true, force: true });
}

function readPid(directory) {
  try {
    const pid = Number(readFileSync(path.join(directory, 'pid'), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
