/** Is the data directory there, ours, roomy and of this version? */
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { prepareDataDir } from '../../platform/embedded/data-dir.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const NAME = 'data directory';
const MIB = 1024 * 1024;
const TOO_LITTLE_BYTES = 200 * MIB;
const LITTLE_BYTES = 2048 * MIB;
const CHOOSE = 'choose another one with FORAGER_DATA_DIR or --data-dir';

export async function checkDataDir(dataDir: string): Promise<Check[]> {
  const found = await stat(dataDir).catch((error: unknown) => errorCode(error) ?? 'unknown');
  if (found === 'ENOENT') {
    const parent = await findParent(dataDir);
    const isWritable = await mayWrite(parent);
    return isWritable
      ? [ok(NAME, `${dataDir} does not exist yet; the first crawl makes it`), await checkSpace(parent)]
      : [wrong(NAME, `${dataDir} does not exist and this user may not make it in ${parent}`, CHOOSE)];
  }
  if (typeof found === 'string') return [wrong(NAME, `${dataDir} cannot be looked at (${found})`, CHOOSE)];
  if (!found.isDirectory()) return [wrong(NAME, `${dataDir} is not a directory`, CHOOSE)];
  if (!(await mayWrite(dataDir))) {
    const fix = `give it to the user that runs Forager (chown), or ${CHOOSE}`;
    return [wrong(NAME, `${dataDir} cannot be written to by this user`, fix)];
  }
  return [
    ok(NAME, `${dataDir} is there and can be written to`),
    await checkSpace(dataDir),
    await checkVersion(dataDir),
  ];
}

async function findParent(directory: string): Promise<string> {
  const parent = path.dirname(directory);
  const isThere = await stat(parent).then(
    () => true,
    () => false,
  );
  return isThere || parent === directory ? parent : findParent(parent);
}

async function mayWrite(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function checkSpace(directory: string): Promise<Check> {
  const name = 'free space';
  try {
    const { bavail, bsize } = await statfs(directory);
    const bytes = bavail * bsize;
    const message = `${(bytes / 1e9).toFixed(1)} GB free where ${directory} lies`;
    if (bytes < TOO_LITTLE_BYTES)
      return wrong(name, message, 'free some space, or move the data directory to a larger disk');
    if (bytes < LITTLE_BYTES) return warning(name, message, 'a crawl that keeps page bodies may need more');
    return ok(name, message);
  } catch (error) {
    return warning(name, `cannot be found out (${errorCode(error) ?? String(error)})`);
  }
}

/** What a start of the program would say about it; where the file is there already, that changes nothing. */
async function checkVersion(dataDir: string): Promise<Check> {
  const name = 'data version';
  const file = path.join(dataDir, 'version.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return ok(name, 'nothing is in it yet');
  try {
    await prepareDataDir(dataDir);
    return ok(name, `made by this version or one it understands (${text.trim()})`);
  } catch (error) {
    if (error instanceof ForagerError) return wrong(name, error.message, error.hint);
    throw error;
  }
}
