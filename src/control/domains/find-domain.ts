/** From a name in any spelling to the domain that is meant. */
import { canonicalDomain, registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findSimilarNames } from './similar-names.ts';

const findByName = loadSql(import.meta.url, './find-domain.sql');
const similarDomains = loadSql(import.meta.url, './similar-domains.sql');

export interface DomainId {
  readonly id: number;
  readonly domain: string;
}

/** Throws for what is no domain name and for domains nobody has ever crawled. */
export async function findDomain(db: Database, name: string): Promise<DomainId> {
  const domain = readDomainName(name);
  const found = await findKnownDomain(db, domain);
  if (found === undefined) throw await describeUnknown(db, domain);
  return found;
}

/** By its canonical name. */
export async function findKnownDomain(db: Queryable, domain: string): Promise<DomainId | undefined> {
  return (await db.query<DomainId>(findByName, [domain])).rows[0];
}

export async function findDomainIds(db: Database, names: readonly string[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const name of names) ids.add((await findDomain(db, name)).id);
  return [...ids];
}

function readDomainName(name: string): string {
  const domain = canonicalDomain(name.trim());
  if (domain !== undefined) return domain;
  throw new ForagerError('bad-domain', `"${hideUserinfo(name).slice(0, 200)}" is not the name of a domain.`, {
    hint: 'give one such as example.com',
  });
}

/** The error for a domain that is not there, with names that may have been meant. */
export async function describeUnknown(db: Queryable, domain: string): Promise<ForagerError> {
  const { rows } = await db.query<{ domain: string }>(similarDomains, [domain, registrableDomain(domain)]);
  const similar = findSimilarNames(
    domain,
    rows.map((row) => row.domain),
  );
  return new ForagerError(
    'unknown-domain',
    `The domain ${domain} is not known here: nothing of it was ever crawled.`,
    {
      hint:
        similar.length > 0
          ? `did you mean ${similar.join(' or ')}? "forager domain status" lists all domains`
          : '"forager domain status" lists the domains that are known',
    },
  );
}
