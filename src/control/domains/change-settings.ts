/**
 * Settings of a domain. They are read when a worker claims it: whoever holds it now goes on under the old ones until
 * it gives it back. Only whether and through which proxies it goes, and how often, is looked at again every few seconds.
 */
import type { DomainSettings } from '../../contract/domain-settings.ts';
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { wakeDomain } from '../proxies/wake-waiting.ts';
import { expectTimezone } from './check-timezone.ts';
import { describeUnknown, findDomain } from './find-domain.ts';
import { checkPatterns } from './patterns/check-patterns.ts';
import { type DomainDetails, readDomainRow } from './read-domain.ts';

const writeSettings = loadSql(import.meta.url, './write-settings.sql');

/** Whoever waits for a proxy may have one under the new ones. */
const ABOUT_PROXIES = ['proxyMode', 'proxyCountry', 'proxyRotation', 'proxyRequestsPerHour'] as const;

export async function changeSettings(
  db: Database,
  name: string,
  settings: DomainSettings,
  actor: Actor,
): Promise<DomainDetails> {
  checkSettings(settings);
  const { id, domain } = await findDomain(db, name);
  await inTransaction(db, async (tx) => {
    // Writing locks the row.
    if (!(await writeSettingsWithin(tx, id, settings))) throw await describeUnknown(tx, domain);
    await refuseIfGoing(tx, id, domain);
    await recordAct(tx, actor, 'domain.settings', domain, { ...settings });
  });
  return readDomainRow(db, id);
}

/** Throws for what no worker could work with. */
export function checkSettings({ include, exclude }: DomainSettings): void {
  checkPatterns('include', include);
  checkPatterns('exclude', exclude);
}

/** False: there is no such domain any more. */
export async function writeSettingsWithin(
  tx: Transaction,
  id: number,
  settings: DomainSettings,
): Promise<boolean> {
  const named = await nameTimezone(tx, settings);
  if ((await tx.query(writeSettings, [id, JSON.stringify(named)])).rows.length === 0) return false;
  if (ABOUT_PROXIES.some((name) => settings[name] !== undefined)) await wakeDomain(tx, id);
  return true;
}

/** A zone that the database does not know would make every look at the window fail. */
async function nameTimezone(tx: Transaction, settings: DomainSettings): Promise<DomainSettings> {
  const { maintenance } = settings;
  if (maintenance === undefined || maintenance === null) return settings;
  return {
    ...settings,
    maintenance: { ...maintenance, timezone: await expectTimezone(tx, maintenance.timezone) },
  };
}
