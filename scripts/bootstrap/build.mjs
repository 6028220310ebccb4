import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BootstrapProblem, showProgress } from './problem.mjs';

const stampName = '.forager-built';

/** True if dist was made from exactly these sources (by content: copies and branch switches keep it valid). */
export function buildIsCurrent(root) {
  try {
    return readFileSync(path.join(root, 'dist', stampName), 'utf8') === sourceFingerprint(root);
  } catch {
    return false;
  }
}

export async function buildProgram(root) {
  const progress = showProgress('Building Forager');
  const fingerprint = sourceFingerprint(root);
  const dist = path.join(root, 'dist');
  const compiled = compileAll(root);
  if (compiled.status !== 0) {
    progress.fail();
    throw new BootstrapProblem(
      `The build failed: "tsc" in ${root} ended with exit code ${compiled.status ?? compiled.error?.code}.`,
      'correct the errors listed above, or go back to a state that builds (git status shows what changed)',
      `${compiled.stdout ?? ''}${compiled.stderr ?? ''}`,
    );
  }
  const fresh = new Set([...emittedFiles(compiled.stdout, root), ...copyOthers(root)]);
  removeLeftovers(dist, fresh);
  const program = path.join(dist, 'main.js');
  if (existsSync(program)) chmodSync(program, 0o755);
  // Last, so that an interrupted build counts as none.
  writeFileSync(path.join(dist, stampName), fingerprint);
  progress.end();
}

/** The program, then the types of what others import from it (`forager/bot`, `forager/parser`): its own needs none. */
function compileAll(root) {
  const projects = ['tsconfig.json', 'src/bot/tsconfig.json', 'src/parser/tsconfig.json'].filter((name) =>
    existsSync(path.join(root, name)),
  );
  let stdout = '';
  for (const project of projects) {
    const compiled = compile(root, project);
    stdout += compiled.stdout ?? '';
    if (compiled.status !== 0) return { ...compiled, stdout };
  }
  return { status: 0, stdout };
}

/** With a type error nothing is emitted: the last good build stays as it is. */
function compile(root, project) {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', project, '--noEmitOnError', '--listEmittedFiles'];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function emittedFiles(output, root) {
  return output
    .split('\n')
    .filter((line) => line.startsWith('TSFILE: '))
    .map((line) => path.resolve(root, line.slice('TSFILE: '.length).trim()));
}

/** Statements, style sheets and scripts of pages live beside the code that reads them, also when built. */
function copyOthers(root) {
  return listFiles(root, 'src')
    .filter((file) => /\.(sql|lua|css|js)$/.test(file))
    .map((file) => {
      const target = path.join(root, 'dist', path.relative('src', file));
      cpSync(path.join(root, file), target);
      return target;
    });
}

/** Files of sources that are gone would still be importable, and be missed only on a fresh clone. */
function removeLeftovers(dist, fresh) {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !fresh.has(file)) rmSync(file, { force: true });
  }
}

function sourceFingerprint(root) {
  const hash = createHash('sha256');
  for (const file of ['tsconfig.json', 'package.json', ...listFiles(root, 'src')]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root, directory) {
  return readdirSync(path.join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql|lua|css|js|json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}
