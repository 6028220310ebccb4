import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BotClient, BotError, type BotJob } from '../../src/bot/index.ts';
import { pauseBeforeExtending } from '../../src/bot/keep-lock.ts';
import {
  type BotAnswer,
  type BotCall,
  type BotServer,
  makeJob,
  ok,
  pulled,
  refused,
  startBotServer,
} from '../support/bot-server.ts';

const clientOf = (server: BotServer, attempts = 3): BotClient =>
  new BotClient({ baseUrl: server.url, botId: 'bot-001', apiKey: 'fgr_secret', attempts });

const LOCKED_AT = '2090-01-01T00:00:00.000Z';
const lockedFor = (seconds: number): Partial<BotJob> => ({
  timeout_seconds: seconds,
  locked_until: new Date(Date.parse(LOCKED_AT) + seconds * 1000).toISOString(),
});

const done = (job: { job_id: unknown }): object => ok({ job_id: job.job_id, status: 'done' });

describe('requests', () => {
  test('say who asks, show the key, and leave out what was not given', async () => {
    const server = await startBotServer(() => pulled(makeJob(1)));
    const { jobs } = await clientOf(server).pull({ maxJobs: 2, domain: 'shop.example', waitSeconds: 5 });
    expect(jobs).toEqual([makeJob(1)]);
    await clientOf(server).pull();
    expect(server.calls).toEqual([
      {
        path: '/api/crawl/pull',
        key: 'Bearer fgr_secret',
        body: { bot_id: 'bot-001', max_jobs: 2, domain: 'shop.example', wait_seconds: 5 },
      },
      { path: '/api/crawl/pull', key: 'Bearer fgr_secret', body: { bot_id: 'bot-001' } },
    ]);
  });

  test('hand in under the number of the lock', async () => {
    const server = await startBotServer(({ body }) => done({ job_id: body.job_id }));
    const lock = { bot_id: 'bot-001', job_id: makeJob(1).job_id, lock_token: '101' };
    await clientOf(server).submitSuccess(makeJob(1), { price: '9.50', currency: 'EUR' });
    await clientOf(server).submitFailure(makeJob(1), 'x'.repeat(5000));
    await clientOf(server).extend(makeJob(1), 60);
    expect(server.calls.map(({ path: place, body }) => [place, body])).toEqual([
      ['/api/crawl/submit', { ...lock, success: true, price: '9.50', currency: 'EUR' }],
      ['/api/crawl/submit', { ...lock, success: false, error_msg: 'x'.repeat(4000) }],
      ['/api/crawl/extend', { ...lock, extend_seconds: 60 }],
    ]);
  });

  test('a reason is cut, and halves of characters in it are replaced: they are no text', async () => {
    const server = await startBotServer(({ body }) => done({ job_id: body.job_id }));
    await clientOf(server).submitFailure(makeJob(1), `\udc00${'x'.repeat(3998)}😀`);
    expect(server.calls[0]?.body.error_msg).toBe(`\ufffd${'x'.repeat(3998)}\ufffd`);
  });

  test('what is refused is an error with the code, the sentence and the hint', async () => {
    const server = await startBotServer(() => refused(409, 'lock-expired'));
    const error = await clientOf(server)
      .submitSuccess(makeJob(1), {})
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BotError);
    expect(error).toMatchObject({
      code: 'lock-expired',
      status: 409,
      message: 'It is lock-expired.',
      hint: 'do so',
    });
    expect(error).toMatchObject({ isTransient: false, isLockLost: true });
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    ['a server that hangs up', { isDropped: true }],
    ['a server that is not well', refused(503, 'database-unavailable', { 'retry-after': '0' })],
    ['too many requests', refused(429, 'rate-limited', { 'retry-after': '0' })],
    ['a proxy in between that answers with a page', { status: 502, body: '<h1>Bad gateway</h1>' }],
  ])('after %s the same request is sent again', async (_name, trouble) => {
    const troubles = [trouble];
    const server = await startBotServer(({ body }) => troubles.pop() ?? done({ job_id: body.job_id }));
    await clientOf(server).submitSuccess(makeJob(1), { price: 1, currency: 'USD' });
    expect(server.calls).toHaveLength(2);
    expect(server.calls[1]).toEqual(server.calls[0]);
  });

  test('Retry-After is waited for, and given up where it is too long', async () => {
    const answers = [
      refused(429, 'bot-quota', { 'retry-after': '1800' }),
      refused(429, 'bot-quota', { 'retry-after': '1' }),
    ];
    const server = await startBotServer(() => answers.pop() ?? pulled());
    const startedAt = performance.now();
    const error = await clientOf(server)
      .pull()
      .catch((thrown: unknown) => thrown);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect(error).toMatchObject({ code: 'bot-quota', retryAfterSeconds: 1800, isTransient: true });
    expect(server.calls).toHaveLength(2);
  });

  test('when all attempts are used up the last error is told, without the key', async () => {
    const server = await startBotServer(() => ({ isDropped: true }));
    const error = await clientOf(server, 2)
      .pull()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unreachable', status: undefined, isTransient: true });
    expect(JSON.stringify(error) + String(error)).not.toContain('fgr_secret');
    expect(server.calls).toHaveLength(2);
  });

  test('a redirect is not followed: the key is for this server alone', async () => {
    const other = await startBotServer(() => pulled());
    const server = await startBotServer(() => ({ status: 307, headers: { location: other.url }, body: {} }));
    await expect(clientOf(server, 1).pull()).rejects.toMatchObject({ code: 'unreachable' });
    expect(other.calls).toEqual([]);
  });
});

/** Extends as it is asked to, but not beyond so many seconds after the pull; its clock is years ahead of ours. */
function extendTo(mostSeconds: number): (body: BotCall['body']) => BotAnswer {
  const startedAtMs = performance.now();
  return (body) => {
    const seconds = (performance.now() - startedAtMs) / 1000 + Number(body.extend_seconds);
    const told = Date.parse(LOCKED_AT) + Math.min(seconds, mostSeconds) * 1000;
    return ok({ job_id: body.job_id, lock_token: body.lock_token, locked_until: new Date(told) });
  };
}

describe('work', () => {
  /** A server with these jobs, which hears what becomes of them. */
  async function serveJobs(
    jobs: readonly BotJob[],
    stop: AbortController,
    extend: (body: BotCall['body']) => BotAnswer = extendTo(Infinity),
  ): Promise<BotServer> {
    const waiting = [...jobs];
    let open = jobs.length;
    return startBotServer(({ path: place, body }) => {
      if (place.endsWith('pull')) return pulled(...waiting.splice(0, Number(body.max_jobs)));
      if (place.endsWith('extend')) return extend(body);
      open -= 1;
      if (open === 0) stop.abort();
      return ok({ job_id: body.job_id, status: body.success === true ? 'done' : 'pending' });
    });
  }
  const submitted = ({ calls }: BotServer): unknown[] =>
    calls
      .filter(({ path: place }) => place.endsWith('submit'))
      .map(({ body }) => body.error_msg ?? body.price);

  test('does every job once, never more at a time than it has hands, and asks for no more than it can begin', async () => {
    const stop = new AbortController();
    const server = await serveJobs(
      Array.from({ length: 20 }, (_, index) => makeJob(index + 1)),
      stop,
    );
    let [now, most] = [0, 0];
    const handler = async (job: BotJob): Promise<{ price: number }> => {
      now += 1;
      most = Math.max(most, now);
      await waitMs(5);
      now -= 1;
      return { price: job.task_id };
    };
    const summary = await clientOf(server).work(handler, { concurrency: 4, signal: stop.signal });
    expect(summary).toEqual({ done: 20, retried: 0, failed: 0, lost: 0 });
    expect(most).toBe(4);
    expect(submitted(server).sort()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1).sort());
    const asked = server.calls
      .filter(({ path: place }) => place.endsWith('pull'))
      .map(({ body }) => body.max_jobs);
    expect(Math.max(...asked.map(Number))).toBe(4);
  });

  test('what the handler throws is handed in as a failure, and told', async () => {
    const stop = new AbortController();
    const server = await serveJobs([makeJob(1), makeJob(2)], stop);
    const told: unknown[] = [];
    const summary = await clientOf(server).work(
      (job) => {
        if (job.task_id === 1) throw new Error('the page has no price');
        return { price: 2, currency: 'EUR' };
      },
      { signal: stop.signal, onError: (error, job) => void told.push([String(error), job?.task_id]) },
    );
    expect(summary).toEqual({ done: 1, retried: 1, failed: 0, lost: 0 });
    expect(told).toEqual([['Error: the page has no price', 1]]);
    expect(submitted(server)).toEqual(['the page has no price', 2]);
  });

  test('a lock is extended while the handler runs, at half its time', async () => {
    const stop = new AbortController();
    const server = await serveJobs([makeJob(1, lockedFor(1))], stop);
    const handler = async (): Promise<object> => {
      await waitMs(1800);
      return { price: 1 };
    };
    expect(await clientOf(server).work(handler, { signal: stop.signal })).toMatchObject({ done: 1 });
    const extensions = server.calls.filter(({ path: place }) => place.endsWith('extend'));
    expect(extensions.length).toBeGreaterThanOrEqual(2);
    expect(extensions[0]?.body).toMatchObject({ lock_token: '101', extend_seconds: 1 });
  });

  test('a lock that the server extends no more is lost when it ends, and not asked for again and again', async () => {
    const stop = new AbortController();
    const server = await serveJobs([makeJob(1, lockedFor(1))], stop, extendTo(1.2));
    const told: unknown[] = [];
    const summary = await clientOf(server).work(
      async (_job, { signal }) => {
        await waitMs(60_000, undefined, { signal }).finally(() => stop.abort());
        return {};
      },
      { signal: stop.signal, onError: (error) => void told.push((error as BotError).code) },
    );
    expect(summary).toMatchObject({ lost: 1 });
    expect(told).toEqual(['lock-expired']);
    expect(server.calls.filter(({ path: place }) => place.endsWith('extend'))).toHaveLength(2);
  });

  test.each([
    ['of ten minutes', 600, 600, 300],
    ['of four hours, which is more than it can be extended by at once', 4 * 3600, 3600, 3.5 * 3600],
    ['that has run out', -1, 600, 0],
  ])('a lock %s is extended at half its time, and never shortened', (_name, left, by, wait) => {
    expect(pauseBeforeExtending(left * 1000, by * 1000)).toBe(wait * 1000);
  });

  test('a job that is lost ends its handler, is told once, and is not handed in as a failure', async () => {
    const stop = new AbortController();
    const server = await serveJobs([makeJob(1, lockedFor(1))], stop, () => refused(409, 'not-assigned'));
    const told: unknown[] = [];
    const summary = await clientOf(server).work(
      async (_job, { signal }) => {
        await waitMs(60_000, undefined, { signal }).finally(() => stop.abort());
        return {};
      },
      { signal: stop.signal, onError: (error) => void told.push((error as BotError).code) },
    );
    expect(summary).toEqual({ done: 0, retried: 0, failed: 0, lost: 1 });
    expect(told).toEqual(['not-assigned']);
    expect(submitted(server)).toEqual([]);
  });

  test('a result that is refused is handed in as a failure, so that the job does not wait for its lock to run out', async () => {
    const stop = new AbortController();
    const jobs = [makeJob(1)];
    const server = await startBotServer(({ path: place, body }) => {
      if (place.endsWith('pull')) return pulled(...jobs.splice(0));
      if (body.success === true) return refused(400, 'invalid');
      stop.abort();
      return ok({ job_id: body.job_id, status: 'failed' });
    });
    const told: unknown[] = [];
    const onError = (error: unknown): void => void told.push((error as BotError).code);
    const summary = await clientOf(server).work(() => ({ title: 'no price' }), {
      signal: stop.signal,
      onError,
    });
    expect(summary).toEqual({ done: 0, retried: 0, failed: 1, lost: 0 });
    expect(told).toEqual(['invalid']);
    expect(server.calls.at(-1)?.body.error_msg).toBe('the result was refused: It is invalid.');
  });

  test('a bot that is revoked while it works says nothing more about the job, and the work ends with that, told once', async () => {
    const jobs = [makeJob(1), makeJob(2)];
    const server = await startBotServer(({ path: place }) =>
      place.endsWith('pull') && jobs.length > 0 ? pulled(...jobs.splice(0)) : refused(403, 'bot-revoked'),
    );
    const told: unknown[] = [];
    const onError = (error: unknown): void => void told.push(error);
    const working = clientOf(server).work(() => ({ price: 1 }), { concurrency: 2, onError });
    await expect(working).rejects.toMatchObject({ code: 'bot-revoked' });
    expect(told).toEqual([]);
    expect(submitted(server)).toEqual([1, 1]);
  });

  test.each([404, 409, 415, 422])('after a %s the job is left alone, and told once', async (status) => {
    const stop = new AbortController();
    const jobs = [makeJob(1)];
    const server = await startBotServer(({ path: place }) => {
      if (place.endsWith('pull')) return pulled(...jobs.splice(0));
      stop.abort();
      return refused(status, 'some-code');
    });
    const told: unknown[] = [];
    const onError = (error: unknown): void => void told.push((error as BotError).code);
    const summary = await clientOf(server).work(() => ({ price: 1 }), { signal: stop.signal, onError });
    expect(summary).toEqual({ done: 0, retried: 0, failed: 0, lost: 1 });
    expect(told).toEqual(['some-code']);
    expect(submitted(server)).toEqual([1]);
  });

  test('jobs that come in the moment of the stop go back to others, unless that were their last attempt', async () => {
    const stop = new AbortController();
    const jobs = [makeJob(1), makeJob(2, { retry_count: 3 })];
    const server = await startBotServer(({ path: place, body }) => {
      if (place.endsWith('pull')) return pulled(...jobs.splice(0));
      return ok({ job_id: body.job_id, status: body.success === true ? 'done' : 'pending' });
    });
    // The answer has begun to come in when it is stopped.
    const client = new BotClient({
      ...{ baseUrl: server.url, botId: 'bot-001', apiKey: 'k' },
      fetch: async (...call) => {
        const response = await fetch(...call);
        const read = response.text.bind(response);
        const text = (): Promise<string> => {
          stop.abort();
          return read();
        };
        return Object.assign(response, { text });
      },
    });
    const begun: number[] = [];
    const handler = (job: BotJob): object => {
      begun.push(job.task_id);
      return { price: 1 };
    };
    const summary = await client.work(handler, { concurrency: 2, signal: stop.signal });
    expect(summary).toEqual({ done: 1, retried: 1, failed: 0, lost: 0 });
    expect(begun).toEqual([2]);
    expect(submitted(server).map(String).sort()).toEqual(['1', 'the bot was stopped before it began']);
  });

  test('a stop ends a pull that waits, and lets what is under way finish', async () => {
    const stop = new AbortController();
    const jobs = [makeJob(1)];
    const server = await startBotServer(async ({ path: place, body }) => {
      if (place.endsWith('submit')) return done({ job_id: body.job_id });
      if (jobs.length > 0) return pulled(...jobs.splice(0));
      setTimeout(() => stop.abort(), 10);
      await waitMs(30_000, undefined, { ref: false });
      return pulled();
    });
    const handler = async (): Promise<object> => {
      if (!stop.signal.aborted)
        await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
      await waitMs(20);
      return { price: 1 };
    };
    const summary = await clientOf(server).work(handler, { concurrency: 2, signal: stop.signal });
    expect(summary).toMatchObject({ done: 1, lost: 0 });
  });

  test('a bot that is refused ends with that error, after what it has under way', async () => {
    const answers = [pulled(makeJob(1))];
    const server = await startBotServer(({ path: place, body }) =>
      place.endsWith('submit')
        ? done({ job_id: body.job_id })
        : (answers.pop() ?? refused(403, 'bot-revoked')),
    );
    let isFinished = false;
    const handler = async (): Promise<object> => {
      await waitMs(50);
      isFinished = true;
      return { price: 1 };
    };
    await expect(clientOf(server).work(handler, { concurrency: 2 })).rejects.toMatchObject({
      code: 'bot-revoked',
    });
    expect(isFinished).toBe(true);
    expect(submitted(server)).toEqual([1]);
  });

  test('what onError throws ends the work and is thrown', async () => {
    const stop = new AbortController();
    const server = await serveJobs([makeJob(1), makeJob(2)], stop);
    const working = clientOf(server).work(
      () => {
        throw new Error('a defect');
      },
      {
        onError: (error) => {
          throw error;
        },
      },
    );
    await expect(working).rejects.toThrow('a defect');
    expect(submitted(server)).toEqual(['a defect']);
  });

  test.each([0, 101, 1.5])('%s hands are refused', async (concurrency) => {
    const client = new BotClient({ baseUrl: 'http://127.0.0.1:9', botId: 'b', apiKey: 'k' });
    await expect(client.work(() => ({}), { concurrency })).rejects.toMatchObject({ code: 'bad-settings' });
  });
});

test('the client needs nothing but Node: it imports its own files and a clock', () => {
  const directory = path.resolve(import.meta.dirname, '../../src/bot');
  const imports = readdirSync(directory)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(path.join(directory, name), 'utf8').matchAll(/from '([^']+)'/g)])
    .map((match) => match[1] ?? '');
  const strange = imports.filter(
    (name) => !/^(?:node:timers\/promises|\.\/[\w-]+\.ts|\.\.\/platform\/clock\.ts)$/.test(name),
  );
  expect(strange).toEqual([]);
});
