/** Webhooks and deliveries as rows, for tests of whoever sends them. */
import type { WebhookEvent } from '../../src/contract/webhooks.ts';
import { orderTest } from '../../src/control/webhooks/deliveries.ts';
import { createWebhook } from '../../src/control/webhooks/webhooks.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import type { TestDatabase } from './postgres.ts';

const key = Buffer.alloc(32, 3);
export const TEST_SECRET_KEY = key.toString('base64');
const box = createSecretBox(key, 'the test');
const actor = { name: 'test' };

export async function addWebhook(
  { db }: TestDatabase,
  url: string,
  events: readonly WebhookEvent[] = ['webhook.test'],
): Promise<{ id: number; secret: string }> {
  const { webhook, secret } = await createWebhook(db, { url, events }, { box, allowPrivate: true }, actor);
  return { id: webhook.id, secret };
}

export async function addTests({ db }: TestDatabase, webhookId: number, count = 1): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await orderTest(db, webhookId, actor)).id);
  return ids;
}
