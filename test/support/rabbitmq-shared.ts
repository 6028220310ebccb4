/** The RabbitMQ that all test files of a run share: the first one starts it, the end of the run ends it. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareBroker, startBroker } from './rabbitmq-broker.ts';

interface SharedBroker {
  readonly url: string;
  readonly pids: readonly number[];
}

/** Its URL. */
export async function startOrJoinShared(testDataDir: string): Promise<string> {
  const home = sharedHome(testDataDir);
  await mkdir(home, { recursive: true });
  const isFirst = await mkdir(path.join(home, 'starting')).then(
    () => true,
    () => false,
  );
  if (!isFirst) return (await waitForShared(home)).url;
  try {
    const broker = await prepareBroker(path.join(home, 'broker'));
    // It outlives the process of this test file.
    const { server, epmd } = await startBroker(broker, true);
    const pids = [server.pid, epmd.pid].filter((pid) => pid !== undefined);
    const url = `amqp://127.0.0.1:${broker.port}`;
    await writeShared(home, { url, pids });
    return url;
  } catch (error) {
    await writeShared(home, { error: String(error) });
    throw error;
  }
}

/** At the end of the run. */
export async function stopSharedRabbit(testDataDir: string): Promise<void> {
  const home = sharedHome(testDataDir);
  const shared = await readShared(home);
  for (const pid of shared?.pids ?? []) await endProcess(pid);
  await rm(home, { recursive: true, force: true });
}

/** The first one may have to install it, too. */
const PATIENCE_MS = 360_000;

function sharedHome(testDataDir: string): string {
  return `${testDataDir}-rabbitmq`;
}

async function writeShared(home: string, shared: SharedBroker | { error: string }): Promise<void> {
  await writeFile(path.join(home, 'draft.json'), JSON.stringify(shared));
  await rename(path.join(home, 'draft.json'), path.join(home, 'shared.json'));
}

async function readShared(home: string): Promise<(SharedBroker & { error?: string }) | undefined> {
  const text = await readFile(path.join(home, 'shared.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as SharedBroker & { error?: string });
}

async function waitForShared(home: string): Promise<SharedBroker> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const shared = await readShared(home);
    if (shared?.error !== undefined) throw new Error(shared.error);
    if (shared !== undefined) return shared;
    await pause(200);
  }
  throw new Error('The RabbitMQ of this run did not start.');
}

async function endProcess(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL');
    for (let tries = 0; tries < 50; tries += 1) {
      process.kill(pid, 0);
      await pause(50);
    }
  } catch {
    // It is gone.
  }
}
