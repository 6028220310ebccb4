/** Is the data directory there, ours, roomy and of this version? */
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../platform/errors.ts';
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

async function checkVersion(dataDir: string): Promise<Check> {
  const name = 'data version';
  const file = path.join(dataDir, 'version.json');
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && 'layout' in parsed) {
      const by = 'createdBy' in parsed ? `, made by Forager ${String(parsed.createdBy)}` : '';
      return ok(name, `layout ${String(parsed.layout)}${by}`);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok(name, 'nothing is in it yet');
  }
  return wrong(name, `${file} does not say which version made it`, `restore it from a backup, or ${CHOOSE}`);
}
