import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lchown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, PlatformError } from '../errors.ts';
import { readProgramVersion } from '../program-version.ts';
import { describeFileProblem } from './file-problem.ts';

/** Raised when what lies in a data directory can no longer be read by an older program. */
const layout = 1;

/**
 * Makes the data directory fit for use and returns its real path. A directory written by a newer Forager is
 * refused before anything in it is touched.
 */
export async function prepareDataDir(dataDir: string): Promise<string> {
  await refuseNewerLayout(dataDir);
  try {
    // For nobody else: it holds a password and what was crawled.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const directory = await realpath(dataDir);
    await access(directory, constants.W_OK | constants.X_OK);
    await mkdir(path.join(directory, 'postgres'), { recursive: true, mode: 0o700 });
    await keepOwner(path.join(directory, 'postgres'), directory);
    const versionFile = path.join(directory, 'version.json');
    if (!(await exists(versionFile))) {
      await writeFileWhole(
        versionFile,
        `${JSON.stringify({ layout, createdBy: readProgramVersion() })}\n`,
        0o644,
      );
    }
    return directory;
  } catch (error) {
    throw describeFileProblem(error, dataDir, 'The data directory');
  }
}

/** Whoever reads the file sees the old text or the new one, also after a crash in between. */
export async function writeFileWhole(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.draft-${randomBytes(6).toString('hex')}`;
  // Exclusively: in a directory of the server's user a name may not lead root elsewhere.
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true });
    await keepOwner(draft, path.dirname(file));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** What root writes into somebody's directory stays usable for that somebody. */
export async function keepOwner(file: string, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  if (uid !== 0) await lchown(file, uid, gid);
}

async function refuseNewerLayout(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'version.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return;
    throw describeFileProblem(error, dataDir, 'The data directory');
  }
  const found = readLayout(text);
  if (found === undefined) {
    throw new PlatformError(
      'data-dir-unreadable',
      `The file ${file} does not say which version made the data directory.`,
      {
        hint: 'restore it from a backup, or choose another data directory with FORAGER_DATA_DIR or --data-dir',
      },
    );
  }
  if (found.layout > layout) {
    throw new PlatformError(
      'data-dir-newer',
      `The data directory ${dataDir} was made by a newer Forager (layout ${found.layout}, this program knows ${layout}).`,
      { hint: 'update Forager, or choose another data directory with FORAGER_DATA_DIR or --data-dir' },
    );
  }
}

function readLayout(text: string): { layout: number } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('layout' in parsed)) return undefined;
    return typeof parsed.layout === 'number' ? { layout: parsed.layout } : undefined;
  } catch {
    return undefined;
  }
}

export async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
