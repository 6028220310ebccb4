/**
 * A RabbitMQ for the time of a benchmark: that of AMQP_URL, or one of its own, started and ended as the tests do it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFamilySeconds } from './accounting.mjs';

const BROKER = fileURLToPath(new URL('../test/support/rabbitmq-broker.ts', import.meta.url));

export async function startRabbit() {
  const given = process.env.AMQP_URL;
  if (given !== undefined && given !== '') {
    return { url: given, readCpuSeconds: () => undefined, stop: async () => undefined };
  }
  const { prepareBroker, startBroker, killAll, gone } = await loadBroker();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'forager-bench-rabbitmq-'));
  let processes;
  const killWithUs = () => killAll(processes);
  process.once('exit', killWithUs);
  const stop = async () => {
    process.off('exit', killWithUs);
    killAll(processes);
    if (processes !== undefined) await Promise.all([gone(processes.server), gone(processes.epmd)]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const broker = await prepareBroker(directory);
    processes = await startBroker(broker);
    return {
      url: `amqp://127.0.0.1:${broker.port}`,
      /** User and system time of everything it runs. */
      readCpuSeconds: () => readFamilySeconds(processes.server.pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It is written in TypeScript, which this version of Node may not know. */
async function loadBroker() {
  const { runnerImport } = await import('vite');
  return (await runnerImport(BROKER)).module;
}
