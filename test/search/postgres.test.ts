import { searchConformance } from './conformance.ts';

searchConformance('PostgreSQL', async ({ db }) => ({
  parts: { db },
  settle: async () => undefined,
  close: async () => undefined,
}));
