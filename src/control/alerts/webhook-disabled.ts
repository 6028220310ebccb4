/** A webhook was switched off because nobody takes its messages: whoever relied on it hears nothing any more. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findDisabledWebhooks = loadSql(import.meta.url, './find-disabled-webhooks.sql');

interface DisabledWebhook {
  readonly id: number;
  readonly url: string;
  readonly disabledReason: string;
}

export const webhookDisabled: AlertRule = {
  code: 'webhook-disabled',
  severity: 'warning',
  hint: 'correct what is wrong there, then switch the webhook on again; or remove it',
  find: async ({ db }) => {
    const { rows } = await db.query<DisabledWebhook>(findDisabledWebhooks);
    // Without its path, which often holds a token.
    return rows.map(({ id, url, disabledReason }) => ({
      subject: String(id),
      message: `Webhook ${id} (${new URL(url).host}) was switched off: ${disabledReason}.`,
    }));
  },
};
