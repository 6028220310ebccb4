/** A standing order for a page. Its first run is due at once, or when it says. */
import type { Wanted } from '../../contract/task-shapes.ts';
import type { PrivateRule } from '../../engine/seeds/read-seed-list.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { expectSchedule } from '../tasks/schedule.ts';
import { type DomainRule, ensureTaskDomain, expectPage } from '../tasks/task-domains.ts';
import { type Policy, readPolicyRow } from './policy.ts';
import { adoptTasks } from './start-policies.ts';

const insertPolicy = loadSql(import.meta.url, './insert-policy.sql');
const findPolicy = loadSql(import.meta.url, './find-policy-of-page.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export interface NewPolicy {
  readonly url: string;
  readonly frequencyHours: number;
  readonly priority: number;
  readonly maxRetries: number;
  readonly retryBackoffMinutes: number;
  readonly timeoutMinutes: number;
  readonly executor: 'forager' | 'bot';
  readonly wanted: Wanted;
  readonly followDepth: number;
  readonly followLimit: number;
  readonly isEnabled: boolean;
  readonly nextRunAt?: Date | undefined;
}

export interface PolicyRules extends DomainRule {
  readonly allowPrivate: PrivateRule;
}

export async function createPolicy(
  db: Database,
  given: NewPolicy,
  rules: PolicyRules,
  actor: Actor,
): Promise<Policy> {
  const page = expectPage(given.url, rules.allowPrivate);
  const nextRunAt = expectSchedule(given.nextRunAt, now());
  const id = await inTransaction(db, async (tx) => {
    const domainId = await ensureTaskDomain(tx, page, rules);
    const { rows } = await tx.query<{ id: number }>(insertPolicy, [
      ...[domainId, page.url, page.hash, given.frequencyHours, given.priority, given.maxRetries],
      ...[given.retryBackoffMinutes, given.timeoutMinutes, given.executor, given.isEnabled],
      ...[nextRunAt ?? null, actor.name, given.followDepth, given.followLimit, given.wanted],
    ]);
    const [added] = rows;
    if (added === undefined) {
      const known = await tx.query<{ id: number }>(findPolicy, [domainId, page.hash]);
      throw alreadyThere(page.url, known.rows[0]?.id);
    }
    // A task for the page that is not over counts as its first run: whoever asks is told of it at once.
    if (given.isEnabled && nextRunAt === undefined) await adoptTasks(tx, [added.id]);
    await tx.query(wakeScheduler);
    const { url, ...settings } = { ...given, url: page.url };
    await recordAct(tx, actor, 'policy.create', `policy ${added.id}`, { url, ...settings });
    return added.id;
  });
  return readPolicyRow(db, id);
}

function alreadyThere(url: string, id: number | undefined): ForagerError {
  return new ForagerError('policy-exists', `Policy ${id} is for ${url} already.`, {
    hint: 'change that one instead',
  });
}
