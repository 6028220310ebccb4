import { searchConformance } from './conformance.ts';

searchConformance('PostgreSQL', async ({ db }) => ({
  parts: { db },
  engine: 'postgresql',
  settle: async () => undefined,
  close: async () => undefined,
}));
