/** The place of the run's database server. It is started by the first test file that needs one. */
import type { TestProject } from 'vitest/node';
import { makeTestDataDir, removeTestDataDir } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testDataDir: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeTestDataDir();
  project.provide('testDataDir', dataDir);
  return () => removeTestDataDir(dataDir);
}
