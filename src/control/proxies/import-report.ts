/** An import that is small enough to be told in one answer. */
import { MOST_IMPORTED } from '../../contract/proxies.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import type { Actor } from '../access/actor.ts';
import type { ProxyRules } from './create-proxy.ts';
import { type ImportOptions, type ImportPortion, importProxies, type LineResult } from './import-proxies.ts';

export class ImportFigures {
  lines = 0;
  added = 0;
  updated = 0;
  duplicates = 0;
  refused = 0;
  /** To the domain that is named, and were not before. */
  assigned = 0;

  count({ results, assigned }: ImportPortion): void {
    this.assigned += assigned;
    this.lines += results.length;
    for (const { result } of results) {
      if (result === 'duplicate') this.duplicates += 1;
      else this[result] += 1;
    }
  }
}

export async function collectImport(
  db: Database,
  given: string | readonly string[],
  options: ImportOptions,
  rules: ProxyRules,
  actor: Actor,
): Promise<ImportFigures & { readonly results: readonly LineResult[] }> {
  const texts = typeof given === 'string' ? given.split(/\r\n|\n|\r/) : given;
  if (texts.length > MOST_IMPORTED + 1) {
    throw new ForagerError(
      'too-many-lines',
      `There are ${texts.length} lines; at most ${MOST_IMPORTED} are taken at once.`,
      {
        hint: 'send them in parts',
      },
    );
  }
  const figures = new ImportFigures();
  const results: LineResult[] = [];
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  for await (const some of importProxies(db, [lines], options, rules, actor)) {
    figures.count(some);
    results.push(...some.results);
  }
  return { ...figures, results } as ImportFigures & { results: LineResult[] };
}
