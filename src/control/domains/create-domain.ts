/** A domain that a person makes known, with settings of its own from the first claim on, and its first page due. */
import type { DomainSettings } from '../../contract/domain-settings.ts';
import { admitUrls } from '../../engine/frontier/admit-urls.ts';
import { registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Seed } from '../../engine/frontier/seeds.ts';
import { reprioritizeWithin } from '../../engine/schedule/reprioritize.ts';
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import { type PrivateRule, readAllowedSeed } from '../../engine/seeds/read-seed-list.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { checkSettings, writeSettingsWithin } from './change-settings.ts';
import { findKnownDomain } from './find-domain.ts';
import { type DomainDetails, readDomainRow } from './read-domain.ts';

const addDomain = loadSql(import.meta.url, './add-domain.sql');

export interface NewDomain {
  /** A name, or the URL to begin with. */
  readonly text: string;
  readonly isActive: boolean;
  readonly settings: DomainSettings;
  readonly allowPrivate: PrivateRule;
  readonly source: string;
}

export async function createDomain(db: Database, given: NewDomain, actor: Actor): Promise<DomainDetails> {
  const { isActive, settings, source } = given;
  const { domain, candidate } = readName(given);
  checkSettings(settings);
  const id = await inTransaction(db, async (tx) => {
    const { origin } = new URL(candidate.url);
    const { rows } = await tx.query<{ id: number }>(addDomain, [
      ...[domain, registrableDomain(domain), origin, source, isActive],
    ]);
    const [added] = rows;
    if (added === undefined) {
      const known = await findKnownDomain(tx, domain);
      if (known !== undefined) await refuseIfGoing(tx, known.id, domain);
      throw new ForagerError('domain-exists', `The domain ${domain} is known already.`, {
        hint: 'change its settings instead',
      });
    }
    await admitUrls(tx, [{ domainId: added.id, candidate }]);
    await writeSettingsWithin(tx, added.id, settings);
    await reprioritizeWithin(tx, added.id);
    await recordAct(tx, actor, 'domain.create', domain, { url: candidate.url, isActive, ...settings });
    return added.id;
  });
  return readDomainRow(db, id);
}

function readName({ text, allowPrivate }: NewDomain): Seed {
  const reading = readAllowedSeed(text, { stripTrailingSlash: false, allowPrivate });
  if (reading.kind === 'ok') return reading.seed;
  throw new ForagerError(
    'bad-domain',
    `"${hideUserinfo(text).slice(0, 200)}" cannot be crawled: ${reading.reason}.`,
    {
      hint: 'give a name such as example.com, or a URL to begin with',
    },
  );
}
