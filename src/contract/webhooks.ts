/**
 * Webhooks: who is told of what happens. Messages follow Standard Webhooks (https://www.standardwebhooks.com): signed,
 * repeated until they are taken, the same `webhook-id` in every attempt.
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { idParams, lineOfText, time } from './values.ts';

export const WEBHOOK_EVENTS = [
  'task.completed',
  'task.failed',
  'product.changed',
  'domain.blocked',
  'alert.raised',
  'alert.resolved',
  'webhook.test',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

const admin = { group: 'webhooks', allows: 'manage' } as const;
const count = z.int().nonnegative();
const LONGEST_URL = 2048;
const SNAKE = 'Fields may also be named in snake_case, such as `is_enabled`.';

export const webhookEvent = z.enum(WEBHOOK_EVENTS).meta({
  id: 'WebhookEvent',
  description:
    '`task.failed` is also sent for tasks that expired. `product.changed` is sent when anything about a product is ' +
    'another than before, with what it was (`before`); a product that is seen for the first time has not changed. ' +
    '`webhook.test` is sent to whoever is tested, asked for or not.',
});

const events = z
  .array(webhookEvent)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .transform((list) => [...new Set(list)])
  .describe('What it is told of');
const url = z.string().min(1).max(LONGEST_URL).describe('http or https, without user name and password');
const description = lineOfText(500);
const secret = z
  .string()
  .max(200)
  .describe('`whsec_` and the base64 of 24 to 64 random bytes. Left out: one is made');

export const webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(webhookEvent),
    isEnabled: z.boolean(),
    disabledReason: z.string().nullable().describe('Why it was switched off, where nobody did it'),
    failureCount: count.describe('Deliveries in a row that were given up'),
    previousSecretUntil: time
      .nullable()
      .describe('Until then messages are signed with the secret before as well'),
    createdBy: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Webhook' });

const shownSecret = z.string().describe('Shown this once; it is kept encrypted');

export const listWebhooks = endpoint({
  ...{ ...admin, name: 'listWebhooks', method: 'GET', path: '/api/admin/webhooks' },
  summary: 'Webhooks, the newest first',
  query: z.strictObject(pageQuery),
  answer: pageOf(webhook),
  problems: ['bad-cursor'],
});

export const createWebhook = endpoint({
  ...{ ...admin, name: 'createWebhook', method: 'POST', path: '/api/admin/webhooks' },
  summary: 'Add a webhook',
  description:
    'Every event is sent by POST as `{"type", "timestamp", "data"}`, signed as Standard Webhooks says. Any answer 2xx ' +
    'within 15 s is a success; everything else, redirects too, is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, ' +
    '10 h, 14 h, 20 h and 24 h. An answer 410 switches the webhook off. Loopback, private and reserved addresses are ' +
    `refused, here and when the connection is made, unless FORAGER_ALLOW_PRIVATE allows them. ${SNAKE}`,
  alsoSnakeCase: true,
  body: z.strictObject({
    ...{ url, events, description: description.optional(), secret: secret.optional() },
    isEnabled: z.boolean().default(true),
  }),
  status: 201,
  answer: z.object({ webhook, secret: shownSecret }),
  problems: ['bad-webhook-url', 'bad-webhook-secret', 'too-many-webhooks', 'bad-secret-key'],
});

export const getWebhook = endpoint({
  ...{ ...admin, name: 'getWebhook', method: 'GET', path: '/api/admin/webhooks/:id' },
  summary: 'One webhook',
  params: idParams,
  answer: webhook,
  problems: ['unknown-webhook'],
});

export const changeWebhook = endpoint({
  ...{ ...admin, name: 'changeWebhook', method: 'PATCH', path: '/api/admin/webhooks/:id' },
  summary: 'Change a webhook, or switch it off or on',
  description:
    'What happens while it is off is not told later. What was waiting to be sent when it was switched off is sent ' +
    `when it is switched on again. ${SNAKE}`,
  alsoSnakeCase: true,
  params: idParams,
  body: z
    .strictObject({
      ...{ url: url.optional(), events: events.optional(), description: description.nullable().optional() },
      isEnabled: z.boolean().optional(),
    })
    .refine((body) => Object.keys(body).length > 0, 'must name something to change'),
  answer: webhook,
  problems: ['unknown-webhook', 'bad-webhook-url'],
});

export const deleteWebhook = endpoint({
  ...{ ...admin, name: 'deleteWebhook', method: 'DELETE', path: '/api/admin/webhooks/:id' },
  summary: 'Remove a webhook with its deliveries',
  params: idParams,
  problems: ['unknown-webhook'],
});

export const rotateWebhookSecret = endpoint({
  ...{ ...admin, name: 'rotateWebhookSecret', method: 'POST', path: '/api/admin/webhooks/:id/rotate-secret' },
  summary: 'Give a webhook a new secret',
  description:
    'For 24 hours, or as long as asked for, messages are signed with both, so that the receiver can change over at ' +
    `leisure. A secret that leaked is rotated with \`graceHours\` 0. One older than the last is forgotten. ${SNAKE}`,
  alsoSnakeCase: true,
  params: idParams,
  body: z.strictObject({
    secret: secret.optional(),
    graceHours: z.int().min(0).max(168).default(24).describe('How long the secret before still signs'),
  }),
  isBodyOptional: true,
  answer: z.object({ webhook, secret: shownSecret }),
  problems: ['unknown-webhook', 'bad-webhook-secret', 'bad-secret-key'],
});

const deliveryFields = {
  id: z.int(),
  webhookId: z.int(),
  messageId: z.string().describe('`webhook-id`: the same in every attempt and replay'),
  event: webhookEvent,
  state: z
    .enum(DELIVERY_STATES)
    .describe('pending: it will be tried (again); failed: every attempt failed, nobody tries any more'),
  attemptsCount: count,
  nextAttemptAt: time.nullable(),
  lastStatus: z.int().nullable().describe('HTTP status of the last attempt'),
  lastError: z.string().nullable(),
  createdAt: time,
  deliveredAt: time.nullable(),
};

export const webhookDelivery = z.object(deliveryFields).meta({ id: 'WebhookDelivery' });

export const webhookDeliveryDetails = z
  .object({
    ...deliveryFields,
    payload: z.unknown().describe('The message: `type`, `timestamp` and `data`'),
    attempts: z
      .array(
        z.object({
          at: time,
          httpStatus: z.int().nullable(),
          durationMs: count,
          error: z.string().nullable(),
          answer: z.string().nullable().describe('The beginning of what was answered'),
        }),
      )
      .describe('The latest first, at most 100'),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

export const testWebhook = endpoint({
  ...{ ...admin, name: 'testWebhook', method: 'POST', path: '/api/admin/webhooks/:id/test' },
  summary: 'Send a test message',
  description:
    'A message `webhook.test`, sent like any other, at once. Its delivery shows what became of it.',
  params: idParams,
  status: 202,
  answer: webhookDelivery,
  problems: ['unknown-webhook', 'webhook-disabled'],
});

export const listWebhookDeliveries = endpoint({
  ...{ ...admin, name: 'listWebhookDeliveries', method: 'GET', path: '/api/admin/webhooks/:id/deliveries' },
  summary: 'What was sent to a webhook, the latest first',
  description: 'Deliveries are kept for FORAGER_WEBHOOK_LOG_DAYS.',
  params: idParams,
  query: z.strictObject({ ...pageQuery, state: z.enum(DELIVERY_STATES).optional() }),
  answer: pageOf(webhookDelivery),
  problems: ['bad-cursor', 'unknown-webhook'],
});

const delivery = '/api/admin/webhook-deliveries/:id';

export const getWebhookDelivery = endpoint({
  ...{ ...admin, name: 'getWebhookDelivery', method: 'GET', path: delivery },
  summary: 'One delivery: the message, and every attempt to send it',
  params: idParams,
  answer: webhookDeliveryDetails,
  problems: ['unknown-delivery'],
});

export const replayWebhookDelivery = endpoint({
  ...{ ...admin, name: 'replayWebhookDelivery', method: 'POST', path: `${delivery}/replay` },
  summary: 'Send a message once more',
  description:
    'Also one that was delivered. It has the same `webhook-id` as before, and all its attempts again. Of one that is ' +
    'being sent at this moment nothing changes.',
  params: idParams,
  status: 202,
  answer: webhookDelivery,
  problems: ['unknown-delivery', 'webhook-disabled'],
});

export const webhookEndpoints = [
  ...[
    listWebhooks,
    createWebhook,
    getWebhook,
    changeWebhook,
    deleteWebhook,
    rotateWebhookSecret,
    testWebhook,
  ],
  ...[listWebhookDeliveries, getWebhookDelivery, replayWebhookDelivery],
];
