import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Two levels up both from src/platform and from dist/platform. */
export const packageRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The version in package.json: the only place where it is written down. */
export function readProgramVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || !('version' in parsed)) return '0.0.0';
  return String(parsed.version);
}
