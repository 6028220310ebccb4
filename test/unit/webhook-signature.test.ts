import { describe, expect, test } from 'vitest';
import { writeBody } from '../../src/control/webhooks/message-body.ts';
import { nextDelayMs, RETRY_DELAYS_MS } from '../../src/control/webhooks/retry-schedule.ts';
import { judge } from '../../src/control/webhooks/settle-delivery.ts';
import { checkWebhookSecret, newWebhookSecret, signMessage } from '../../src/control/webhooks/signature.ts';
import { readWebhookUrl } from '../../src/control/webhooks/webhook-url.ts';

const whsec = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

test('the signature is that of the specification’s own example', () => {
  const message = {
    ...{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330 },
    body: '{"test": 2432232314}',
  };
  expect(signMessage(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('with two secrets there are two signatures, separated by a space', () => {
  const message = { id: 'msg_1', timestamp: 1, body: '{}' };
  const both = signMessage(message, [whsec(24), whsec(32)]);
  expect(both.split(' ')).toEqual([signMessage(message, [whsec(24)]), signMessage(message, [whsec(32)])]);
});

describe('secrets', () => {
  test('a made one is whsec_ and 32 random bytes', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });

  test.each([24, 32, 64])('one of %i bytes is taken', (bytes) => {
    expect(checkWebhookSecret(`  ${whsec(bytes)}\n`)).toBe(whsec(bytes));
  });

  test.each([
    ...[whsec(23), whsec(65), whsec(32).slice(6), 'whsec_', 'whsec_!!!!', `whsec_${'A'.repeat(33)}`],
    ...['whsk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'hunter2', ''],
  ])('%j is refused and not repeated', (secret) => {
    expect(() => checkWebhookSecret(secret)).toThrow(
      expect.objectContaining({
        code: 'bad-webhook-secret',
        message: expect.not.stringContaining('hunter2'),
      }),
    );
  });
});

test('a message is written as type, timestamp, data, the time in UTC', () => {
  const payload = { data: { a: 1 }, type: 'task.completed', timestamp: '2026-11-15T17:01:02.344522+00:00' };
  expect(writeBody(payload)).toBe(
    '{"type":"task.completed","timestamp":"2026-11-15T17:01:02.344522Z","data":{"a":1}}',
  );
});

describe('when it is sent again', () => {
  test('after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, up to a fifth later, then never', () => {
    const hours = RETRY_DELAYS_MS.map((ms) => ms / 3_600_000);
    expect(hours).toEqual([5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24]);
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(nextDelayMs(index + 1, undefined, () => 0)).toBe(delayMs);
      expect(nextDelayMs(index + 1, undefined, () => 1)).toBe(delayMs * 1.2);
    }
    expect(nextDelayMs(RETRY_DELAYS_MS.length + 1, undefined)).toBeUndefined();
  });

  const answer = (status: number, retryAfter?: string) =>
    judge({ kind: 'answer', status, answer: '', retryAfter, durationMs: 1 }, 1);

  test.each([200, 201, 204, 299])('%i is a success', (status) => {
    expect(answer(status)).toMatchObject({ state: 'delivered', error: undefined, restMs: 0 });
  });

  test.each([199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 500, 501])(
    '%i is a failure',
    (status) => {
      expect(answer(status)).toMatchObject({ state: 'pending', status, isGone: false, restMs: 0 });
    },
  );

  test('410 ends it, and the webhook', () => {
    expect(answer(410)).toMatchObject({ state: 'failed', isGone: true });
  });

  test.each([429, 502, 503, 504])('%i lets the others rest too, as long as asked for', (status) => {
    expect(answer(status).restMs).toBe(5000);
    const asked = answer(status, '120');
    expect(asked.restMs).toBe(120_000);
    expect(asked.retryInMs).toBe(120_000);
    expect(answer(status, '999999').restMs).toBe(3_600_000);
  });
});

describe('URLs', () => {
  test.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    [' HTTP://Example.COM:8080/a?b=c ', 'http://example.com:8080/a?b=c'],
    ['https://93.184.215.14/x', 'https://93.184.215.14/x'],
  ])('%s is taken', (text, expected) => {
    expect(readWebhookUrl(text, false)).toBe(expected);
  });

  test.each([
    ...[
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
    ],
    ...['http://0/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/', 'http://[::1]/', 'http://[::]/'],
    ...['http://[::ffff:127.0.0.1]/', 'http://[64:ff9b::7f00:1]/', 'http://[fe80::1]/', 'http://localhost/'],
    ...[
      'http://LOCALHOST./',
      'http://a.b.localhost/',
      'http://intranet/hook',
      'http://\uff11\uff12\uff17.0.0.1/',
    ],
  ])('%s is inside and refused unless private places are allowed', (text) => {
    expect(() => readWebhookUrl(text, false)).toThrow(expect.objectContaining({ code: 'bad-webhook-url' }));
  });

  test.each([
    ...['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'example.com/hook', '/hook', ''],
    ...[
      'https://user:geheim@example.com/',
      'https://example.com/#x',
      'https://example.com:25/',
      'https:example.com',
    ],
    ...['https://', 'https://exa mple.com/', 'http://example.com:99999/', 'https://a\nb.example/'],
  ])('%j is refused whatever is allowed, and no password is repeated', (text) => {
    expect(() => readWebhookUrl(text, true)).toThrow(
      expect.objectContaining({ code: 'bad-webhook-url', message: expect.not.stringContaining('geheim') }),
    );
  });
});
