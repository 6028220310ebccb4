/** The places of the run's database server and of its broker. They are started by the first test file that needs one. */
import type { TestProject } from 'vitest/node';
import { stopSharedRabbit } from './rabbitmq-shared.ts';
import { makeTestDataDir, removeTestDataDir } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testDataDir: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeTestDataDir();
  project.provide('testDataDir', dataDir);
  return async () => {
    await stopSharedRabbit(dataDir);
    await removeTestDataDir(dataDir);
  };
}
