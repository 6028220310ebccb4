/** The places of the run's database server and of its broker. They are started by the first test file that needs one. */
import type { TestProject } from 'vitest/node';
import { stopSharedRabbit } from './rabbitmq-shared.ts';
import { makeTestDataDir, removeTestDataDir } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testDataDir: string;
    /** Empty: none is given. */
    testAmqpUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeTestDataDir();
  project.provide('testDataDir', dataDir);
  // For tests that ask for it: programs that are run in tests must not find it by themselves.
  project.provide('testAmqpUrl', process.env.AMQP_URL ?? '');
  delete process.env.AMQP_URL;
  return async () => {
    await stopSharedRabbit(dataDir);
    await removeTestDataDir(dataDir);
  };
}
