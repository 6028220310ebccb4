/** One database server for the whole run: started before the first test file, stopped after the last. */
import type { TestProject } from 'vitest/node';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  project.provide('testServerUrl', server.url);
  return () => server.stop();
}
