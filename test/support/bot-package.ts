/** A directory as somebody has it who has installed Forager and writes a bot: the package, the compiler, Node's types. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDirectory } from './crawl-support.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

export async function makeBotDirectory(): Promise<string> {
  const directory = await temporaryDirectory('forager-bot-');
  await mkdir(path.join(directory, 'node_modules', '@types'), { recursive: true });
  await symlink(root, path.join(directory, 'node_modules', 'forager'));
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(path.join(root, 'node_modules', name), path.join(directory, 'node_modules', name));
  }
  await writeFile(path.join(directory, 'package.json'), '{"type":"module"}');
  return directory;
}

/** What the compiler says against the project in this directory; nothing: it is compiled. */
export function compileBot(directory: string): Promise<string> {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', directory], (_error, stdout) => resolve(stdout));
  });
}
