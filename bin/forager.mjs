#!/usr/bin/env node
// The command. A published package brings its build along; in a checkout this first makes sure that
// dependencies and build are there, so that `npx forager …` works as the first command ever run in a clone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bootstrap = path.join(root, 'scripts', 'bootstrap.mjs');

if (existsSync(bootstrap) && !(await isReady())) {
  // What it says goes to standard error: standard output belongs to the command's results.
  const { status } = spawnSync(process.execPath, [bootstrap], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import('../dist/main.js');

async function isReady() {
  const { dependenciesAreInstalled } = await import('../scripts/bootstrap/install.mjs');
  const { buildIsCurrent } = await import('../scripts/bootstrap/build.mjs');
  return dependenciesAreInstalled(root) && buildIsCurrent(root);
}
