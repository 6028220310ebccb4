/** Who is told of what happens. The secret is seen once, by whoever asked for it, and kept encrypted. */
import type { WebhookEvent } from '../../contract/webhooks.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { checkWebhookSecret, newWebhookSecret } from './signature.ts';
import { readWebhookUrl } from './webhook-url.ts';

const listWebhooksSql = loadSql(import.meta.url, './list-webhooks.sql');
const readWebhookSql = loadSql(import.meta.url, './read-webhook.sql');
const insertWebhookSql = loadSql(import.meta.url, './insert-webhook.sql');
const changeWebhookSql = loadSql(import.meta.url, './change-webhook.sql');
const rotateSecretSql = loadSql(import.meta.url, './rotate-secret.sql');
const deletePortionSql = loadSql(import.meta.url, './delete-portion.sql');
const deleteWebhookSql = loadSql(import.meta.url, './delete-webhook.sql');

/** Every event asks all of them whether they want it. */
const MOST_WEBHOOKS = 100;
/** What the encryption of a secret is bound to. */
export const SECRET_PURPOSE = 'webhook';

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly WebhookEvent[];
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly failureCount: number;
  readonly previousSecretUntil: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

export async function listWebhooks(
  db: Database,
  below: number | undefined,
  limit: number,
): Promise<Webhook[]> {
  return (await db.query<Webhook>(listWebhooksSql, [below ?? null, limit])).rows;
}

export async function readWebhook(db: Queryable, id: number): Promise<Webhook> {
  const [found] = (await db.query<Webhook>(readWebhookSql, [id])).rows;
  if (found === undefined) throw unknownWebhook(id);
  return found;
}

export interface WantedWebhook {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly description?: string | undefined;
  readonly secret?: string | undefined;
  readonly isEnabled?: boolean | undefined;
}

export async function createWebhook(
  db: Database,
  wanted: WantedWebhook,
  { box, allowPrivate }: { readonly box: SecretBox; readonly allowPrivate: boolean },
  actor: Actor,
): Promise<WebhookWithSecret> {
  const url = readWebhookUrl(wanted.url, allowPrivate);
  const { events, description = null, isEnabled = true } = wanted;
  const secret = wanted.secret === undefined ? newWebhookSecret() : checkWebhookSecret(wanted.secret);
  const sealed = box.seal(secret, SECRET_PURPOSE);
  const webhook = await inTransaction(db, async (tx) => {
    const values = [url, description, events, sealed, isEnabled, actor.name, MOST_WEBHOOKS];
    const [row] = (await tx.query<{ id: number }>(insertWebhookSql, values)).rows;
    if (row === undefined) {
      throw new ForagerError('too-many-webhooks', `There are ${MOST_WEBHOOKS} webhooks already.`, {
        hint: 'remove those that are no longer used',
      });
    }
    await recordAct(tx, actor, 'webhook.create', String(row.id), { to: originOf(url), events, isEnabled });
    return readWebhook(tx, row.id);
  });
  return { webhook, secret };
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly description?: string | null | undefined;
  readonly isEnabled?: boolean | undefined;
}

export async function changeWebhook(
  db: Database,
  id: number,
  changes: WebhookChanges,
  allowPrivate: boolean,
  actor: Actor,
): Promise<Webhook> {
  const { events, isEnabled, description } = changes;
  const url = changes.url === undefined ? undefined : readWebhookUrl(changes.url, allowPrivate);
  return inTransaction(db, async (tx) => {
    const values = [
      ...[id, url ?? null, events ?? null, isEnabled ?? null],
      ...[description ?? null, description !== undefined],
    ];
    if ((await tx.query(changeWebhookSql, values)).rowCount === 0) throw unknownWebhook(id);
    const to = url === undefined ? {} : { to: originOf(url) };
    await recordAct(tx, actor, 'webhook.change', String(id), { ...to, events, isEnabled });
    return readWebhook(tx, id);
  });
}

export interface Rotation {
  readonly secret?: string | undefined;
  readonly graceHours: number;
}

export async function rotateSecret(
  db: Database,
  id: number,
  { secret: given, graceHours }: Rotation,
  box: SecretBox,
  actor: Actor,
): Promise<WebhookWithSecret> {
  const secret = given === undefined ? newWebhookSecret() : checkWebhookSecret(given);
  const sealed = box.seal(secret, SECRET_PURPOSE);
  const webhook = await inTransaction(db, async (tx) => {
    if ((await tx.query(rotateSecretSql, [id, sealed, graceHours])).rowCount === 0) throw unknownWebhook(id);
    await recordAct(tx, actor, 'webhook.rotate-secret', String(id), { graceHours });
    return readWebhook(tx, id);
  });
  return { webhook, secret };
}

/** In portions: one that was told of a million things must not hold anybody up. */
export async function deleteWebhook(db: Database, id: number, actor: Actor): Promise<void> {
  await readWebhook(db, id);
  while ((await inTransaction(db, (tx) => tx.query(deletePortionSql, [id]))).rowCount > 0);
  await inTransaction(db, async (tx) => {
    const [row] = (await tx.query<{ url: string }>(deleteWebhookSql, [id])).rows;
    if (row === undefined) throw unknownWebhook(id);
    await recordAct(tx, actor, 'webhook.delete', String(id), { to: originOf(row.url) });
  });
}

function unknownWebhook(id: number): ForagerError {
  return new ForagerError('unknown-webhook', `There is no webhook ${id}.`, {
    hint: '"forager webhook list" shows those that there are',
  });
}

/** Paths and queries of webhooks often hold a token: the log of acts is not for that. */
function originOf(url: string): string {
  return new URL(url).origin;
}
