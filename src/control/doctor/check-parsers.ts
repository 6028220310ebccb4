/** Can every parser be used, and is there one for every domain that has chosen one? */
import type { OpenedParsers } from '../../engine/extract/site/open-parsers.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode } from '../../platform/errors.ts';
import { describeTrouble } from '../parsers/open-configured-parsers.ts';
import { listParsers } from '../parsers/read-parsers.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const NAME = 'parsers';
const OLDER_SCHEMA = ['42P01', '42703'];

export function checkParserFiles({ names, troubles }: OpenedParsers): Check[] {
  if (troubles.length === 0) return [ok(NAME, names.join(', '))];
  return troubles.map((trouble) => wrong(NAME, describeTrouble(trouble).replace(/\.$/, ''), trouble.hint));
}

/** A domain whose parser is nowhere has no products, and every page of it counts as failed. */
export async function checkParserUse(db: Database, parsers: OpenedParsers): Promise<Check[]> {
  try {
    const missing = (await listParsers(db, parsers)).filter(
      ({ version, domains }) => version === null && domains > 0,
    );
    return missing.map(({ name, domains, problem }) =>
      warning(
        NAME,
        `${domains === 1 ? '1 domain has' : `${domains} domains have`} chosen the parser "${name}": ${problem}`,
        `put its file where the others lie, or choose another one: "forager domain set <domain> --parser generic"`,
      ),
    );
  } catch (error) {
    if (OLDER_SCHEMA.includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
