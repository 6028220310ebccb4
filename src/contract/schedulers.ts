/** Schedulers: who says what is to be done now. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './values.ts';

export const scheduler = z
  .object({
    id: z.string(),
    host: z.string(),
    pid: z.int(),
    programVersion: z.string(),
    state: z
      .enum(['leading', 'waiting', 'stopped', 'dead'])
      .describe('One leads, others wait for its place; dead: silent for a minute without having stopped'),
    leadsSince: time.nullable(),
    ticks: z.int(),
    lastTickAt: time.nullable(),
    lastTickMs: z.int().nullable().describe('How long the last one took'),
    heartbeatAgeSeconds: z.number(),
    heartbeatAt: time,
    startedAt: time,
    stoppedAt: time.nullable(),
  })
  .meta({ id: 'Scheduler' });

export const listSchedulers = endpoint({
  ...{ name: 'listSchedulers', method: 'GET', path: '/api/schedulers', group: 'monitoring', allows: 'read' },
  summary: 'Schedulers: who is there, and who leads',
  description: 'Those that stopped are told of for a day. At most 200.',
  answer: z.object({ items: z.array(scheduler) }),
});
