/** `doctor` and the broker of AMQP_URL. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { joinTestRabbit, testPrefix } from '../support/rabbitmq.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let dataDir: string;
let rabbitUrl: string;
beforeAll(async () => {
  rabbitUrl = await joinTestRabbit();
}, 400_000);
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-cli-broker-'));
  return () => rm(dataDir, { recursive: true, force: true });
});

async function consult(amqpUrl: string, ...more: string[]): Promise<CliRun> {
  const { url } = await createTestDatabase();
  return runForager(['doctor', '--data-dir', dataDir, ...more], {
    env: { DATABASE_URL: url, AMQP_URL: amqpUrl, FORAGER_AMQP_PREFIX: testPrefix() },
  });
}

it('says that it answers, and that looking has made no queue', async () => {
  const { code, stdout } = await consult(rabbitUrl);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /✓ RabbitMQ +version [\d.]+ answers; its queues are made by the first who needs them/,
  );
});

it('takes one that is away for a warning, and shows no password', async () => {
  const { code, stdout } = await consult('amqp://forager:s3cret@127.0.0.1:1/', '--json');
  expect(code).toBe(0);
  expect(stdout).not.toContain('s3cret');
  expect(stdout).toContain('amqp://forager:***@127.0.0.1:1');
  const [report] = JSON.parse(`[${stdout}]`) as [
    { checks: { name: string; state: string; message: string }[] },
  ];
  expect(report.checks).toContainEqual(
    expect.objectContaining({
      ...{ name: 'RabbitMQ', state: 'warning' },
      message: expect.stringContaining('is not there (the connection was refused)'),
    }),
  );
});

it('refuses a URL that is none, without repeating it', async () => {
  const { code, stdout } = await consult('http://forager:s3cret@127.0.0.1/');
  expect(code).toBe(1);
  expect(stdout).toContain('AMQP_URL');
  expect(stdout).not.toContain('s3cret');
});
