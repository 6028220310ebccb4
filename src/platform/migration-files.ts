import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from './program-version.ts';

/** One step of the schema, forward and back, as it lies in migrations/. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly up: string;
  readonly down: string;
  /** Of the forward text: what ran is what is in the file, or someone is told. */
  readonly checksum: string;
}

export const migrationsDirectory = path.join(packageRoot, 'migrations');

const fileName = /^(\d{4})_([a-z0-9_]+)\.(up|down)\.sql$/;

/** All migrations in order. Gaps, doubles and a step without its way back are defects of the program. */
export async function readMigrations(directory: string = migrationsDirectory): Promise<Migration[]> {
  const texts = new Map<string, string>();
  const names = new Map<number, string>();
  for (const entry of (await readdir(directory)).sort()) {
    const [, digits, name, way] = fileName.exec(entry) ?? [];
    if (digits === undefined || name === undefined || way === undefined) continue;
    const version = Number(digits);
    const known = names.get(version);
    if (known !== undefined && known !== name) {
      throw new Error(`Two migrations have the number ${digits}: ${known} and ${name}.`);
    }
    names.set(version, name);
    texts.set(`${version} ${way}`, await readFile(path.join(directory, entry), 'utf8'));
  }
  return [...names.keys()]
    .sort((a, b) => a - b)
    .map((version, index) => {
      const [up, down] = [texts.get(`${version} up`), texts.get(`${version} down`)];
      const name = names.get(version) ?? '';
      if (up === undefined || down === undefined) {
        throw new Error(`Migration ${version}_${name} lacks its ${up === undefined ? 'up' : 'down'} file.`);
      }
      if (version !== index + 1)
        throw new Error(`Migration ${index + 1} is missing before ${version}_${name}.`);
      return { version, name, up, down, checksum: checksumOf(up) };
    });
}

/** Line ends differ between checkouts and mean nothing. */
function checksumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}
