import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The statement in a file beside the calling one: `loadSql(import.meta.url, './claim-domains.sql')`. The
 * comment at its head is for people and psql, and is not sent to the server each time.
 */
export function loadSql(callerUrl: string, relativePath: string): string {
  const file = path.resolve(path.dirname(fileURLToPath(callerUrl)), relativePath);
  const statement = withoutLeadingComments(readFileSync(file, 'utf8')).trim();
  if (statement === '') throw new Error(`The file ${file} holds no statement.`);
  return statement;
}

export function withoutLeadingComments(text: string): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '');
}
