// Makes a checkout runnable: dependencies as the lock file says, and a build as the sources say.
// Plain Node with no dependency, because it runs before there are any. Silent and quick when there is nothing
// to do, so that every npm script can begin with it.
//
//   node scripts/bootstrap.mjs                  install and build if needed
//   node scripts/bootstrap.mjs --install-only   dependencies only
//   node scripts/bootstrap.mjs --build          build even if nothing changed

import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIsCurrent, buildProgram } from './bootstrap/build.mjs';
import { dependenciesAreInstalled, installDependencies } from './bootstrap/install.mjs';
import { withCheckoutLock } from './bootstrap/lock.mjs';
import { BootstrapProblem, sayProblem } from './bootstrap/problem.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const flags = new Set(process.argv.slice(2));

try {
  checkNodeVersion();
  await bootstrap();
} catch (error) {
  sayProblem(error);
  process.exit(1);
}

async function bootstrap() {
  const wantsBuild = !flags.has('--install-only');
  const mustBuild = flags.has('--build');
  const nothingToDo = () =>
    dependenciesAreInstalled(root) && (!wantsBuild || (!mustBuild && buildIsCurrent(root)));
  if (nothingToDo()) return;

  if (!isWritable(root)) {
    // A checkout installed by someone else, or baked into an image: run what is there.
    const isUsable =
      existsSync(path.join(root, 'node_modules')) &&
      (!wantsBuild || existsSync(path.join(root, 'dist', 'main.js')));
    if (isUsable && !mustBuild) return;
    throw new BootstrapProblem(
      `Forager is not built yet and its directory ${root} cannot be written to.`,
      'run "npm run build" there once as its owner, or copy the checkout to a directory of your own',
    );
  }

  await withCheckoutLock(root, async () => {
    // Whoever held the lock before us may have done it all.
    if (!dependenciesAreInstalled(root)) await installDependencies(root);
    if (wantsBuild && (mustBuild || !buildIsCurrent(root))) await buildProgram(root);
  });
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new BootstrapProblem(
    `Forager needs Node 20.19 or newer; this is Node ${process.versions.node} (${process.execPath}).`,
    'install a current Node from https://nodejs.org or with your version manager, then run the command again',
  );
}

function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
