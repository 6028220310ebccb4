/**
 * The store as it is shipped: compiled, with its writing thread. Node 20 starts neither threads nor processes
 * from TypeScript, so these tests build what they need into a directory of their own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENTRIES = ['warc-store', 'segment-thread', 'read-exchange', 'repair-segments', 'iterate-segment'];

export interface CompiledStore {
  /** Where the compiled modules of src/engine/store lie. */
  readonly modules: string;
  readonly directory: string;
  remove(): Promise<void>;
}

export async function compileStore(): Promise<CompiledStore> {
  const directory = await mkdtemp(join(tmpdir(), 'forager-compiled-'));
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      rootDir: resolve('src'),
      outDir: join(directory, 'out'),
      typeRoots: [resolve('node_modules/@types')],
    },
    include: [],
    files: ENTRIES.map((entry) => resolve(`src/engine/store/${entry}.ts`)),
  };
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', directory]);
  return {
    directory,
    modules: join(directory, 'out/engine/store'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
