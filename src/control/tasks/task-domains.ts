/**
 * The pages that people name for tasks and policies, and the domains these belong to. A domain that is known keeps
 * everything it has; one that is not is made known for its tasks only, or refused, as the setting says.
 */
import { registrableDomain } from '../../engine/frontier/canonical-domain.ts';
import { MAX_URL_LENGTH } from '../../engine/frontier/normalize-url.ts';
import { describeGoing, findGoingDomains } from '../../engine/seeds/going-domains.ts';
import { type PrivateRule, readAllowedSeed } from '../../engine/seeds/read-seed-list.ts';
import type { Config } from '../../platform/config.ts';
import { ForagerError } from '../../platform/errors.ts';
import { textArray } from '../../platform/pg-array.ts';
import { hideUserinfo } from '../../platform/redact-url.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const findKnownNames = loadSql(import.meta.url, './find-known-names.sql');
const addTaskDomains = loadSql(import.meta.url, '../../engine/tasks/add-task-domains.sql');
const lockDomains = loadSql(import.meta.url, '../../engine/frontier/lock-domains.sql');
const takeIntoStandingOrder = loadSql(import.meta.url, '../../engine/seeds/take-into-standing-order.sql');

/** A page as the frontier would know it. */
export interface NamedPage {
  readonly domain: string;
  readonly url: string;
  readonly hash: Buffer;
}

export type PageReading = { kind: 'ok'; page: NamedPage } | { kind: 'bad'; reason: string };

export function readPage(text: string, allowPrivate: PrivateRule): PageReading {
  if (text.length > MAX_URL_LENGTH) {
    return { kind: 'bad', reason: `it is longer than ${MAX_URL_LENGTH} characters` };
  }
  const reading = readAllowedSeed(text, { stripTrailingSlash: false, allowPrivate });
  if (reading.kind === 'bad') return reading;
  const { domain, candidate } = reading.seed;
  return { kind: 'ok', page: { domain, url: candidate.url, hash: candidate.hash } };
}

/** The same for one page by itself: throws for what cannot be crawled. */
export function expectPage(text: string, allowPrivate: PrivateRule): NamedPage {
  const reading = readPage(text, allowPrivate);
  if (reading.kind === 'ok') return reading.page;
  throw new ForagerError('bad-url', `"${showUrl(text)}" cannot be crawled: ${reading.reason}.`, {
    hint: hintOfBadPage(reading.reason),
  });
}

/** What helps against the reason for which a page cannot be crawled. */
export function hintOfBadPage(reason: string): string {
  return reason.includes('--allow-private')
    ? 'add --allow-private, or set FORAGER_ALLOW_PRIVATE=true where the server and the workers run'
    : 'give a URL such as https://example.com/page';
}

/** Without user and password: answers are stored, and shown to others. */
export function showUrl(text: string): string {
  return hideUserinfo(text).slice(0, 300);
}

export type DomainRule = Pick<Config, 'unknownDomains'>;

export interface TaskDomains {
  /** By name. Their rows are locked, in the order of their ids. */
  readonly ids: ReadonlyMap<string, number>;
  readonly newIds: ReadonlySet<number>;
  /** By name: domains that are being removed, and by which job. */
  readonly going: ReadonlyMap<string, number>;
  /** Not known, and not to be made known. */
  readonly unknown: ReadonlySet<string>;
}

/** A domain that a backfill merges into another at this very moment is found under its name a moment later. */
const MOST_LOOKS = 5;

export async function ensureTaskDomains(
  tx: Transaction,
  pages: Iterable<NamedPage>,
  { unknownDomains }: DomainRule,
): Promise<TaskDomains> {
  const missing = new Map<string, string>();
  for (const { domain, url } of pages) if (!missing.has(domain)) missing.set(domain, new URL(url).origin);
  const ids = new Map<string, number>();
  const newIds = new Set<number>();
  for (let look = 1; missing.size > 0 && look <= MOST_LOOKS; look += 1) {
    if (unknownDomains === 'create') for (const id of await addMissing(tx, missing)) newIds.add(id);
    // A statement of its own: what another transaction has just added is not visible to the one that had to wait.
    const names = textArray([...missing.keys()]);
    const { rows } = await tx.query<{ id: number; domain: string }>(lockDomains, [names]);
    for (const { domain, id } of rows) {
      ids.set(domain, id);
      missing.delete(domain);
    }
    if (unknownDomains === 'refuse') break;
  }
  const going = await leaveOutGoing(tx, ids);
  await tx.query(takeIntoStandingOrder, [[...ids.values()].filter((id) => !newIds.has(id))]);
  return { ids, newIds, going, unknown: new Set(missing.keys()) };
}

/** The domain of one page; throws when nothing can be ordered of it. */
export async function ensureTaskDomain(tx: Transaction, page: NamedPage, rule: DomainRule): Promise<number> {
  const { ids, going } = await ensureTaskDomains(tx, [page], rule);
  const id = ids.get(page.domain);
  if (id !== undefined) return id;
  const jobId = going.get(page.domain);
  if (jobId !== undefined) throw describeGoing(page.domain, jobId);
  throw new ForagerError('unknown-domain', `The domain ${page.domain} is not known here.`, {
    hint: 'this server takes nothing for domains it does not know (FORAGER_UNKNOWN_DOMAINS=refuse): seed it first',
  });
}

/** Ids only of those that were not there: known ones are not even tried, which would use up numbers. */
async function addMissing(tx: Transaction, missing: ReadonlyMap<string, string>): Promise<number[]> {
  const known = await tx.query<{ domain: string }>(findKnownNames, [textArray([...missing.keys()])]);
  const knownNames = new Set(known.rows.map(({ domain }) => domain));
  const names = [...missing.keys()].filter((domain) => !knownNames.has(domain));
  if (names.length === 0) return [];
  const added = await tx.query<{ id: number }>(addTaskDomains, [
    textArray(names),
    textArray(names.map((domain) => registrableDomain(domain))),
    textArray(names.map((domain) => missing.get(domain))),
  ]);
  return added.rows.map(({ id }) => id);
}

/** Takes those out of `ids` that are being removed: what is put into them now would be lost without a word. */
async function leaveOutGoing(tx: Transaction, ids: Map<string, number>): Promise<Map<string, number>> {
  const jobs = await findGoingDomains(tx, [...ids.values()]);
  const going = new Map<string, number>();
  for (const [domain, id] of ids) {
    const jobId = jobs.get(id);
    if (jobId === undefined) continue;
    going.set(domain, jobId);
    ids.delete(domain);
  }
  return going;
}
