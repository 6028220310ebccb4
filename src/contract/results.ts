/** Results: what bots have brought for the tasks that they worked on. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { exactDecimal } from './products.ts';
import { crawledText, idParams, time } from './values.ts';

export const taskResult = z
  .object({
    resultId: z.string().describe('As the bot was told'),
    taskId: z.int(),
    url: crawledText,
    domain: z.string(),
    botId: z.string().nullable().describe('Who brought it; null: the bot is not there any more'),
    lockToken: z.string().describe('The number of the lock under which it was brought'),
    price: exactDecimal.nullable(),
    currency: z.string().nullable(),
    title: crawledText.nullable(),
    inStock: z.boolean().nullable(),
    parsedData: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Whatever else was found, as the bot wrote it'),
    hasHtml: z
      .boolean()
      .describe('The page came with it and is kept: the task can be parsed again (restart-parsing)'),
    crawledAt: time.describe('When the page was seen, as the bot says; never later than it was handed in'),
    createdAt: time.describe('When it was handed in'),
    productId: z.int().nullable().describe('The product at its URL, if one is known'),
  })
  .meta({ id: 'TaskResult' });

export const getTaskResult = endpoint({
  ...{ name: 'getTaskResult', method: 'GET', path: '/api/admin/tasks/:id/result', group: 'tasks' },
  allows: 'crawl',
  summary: 'What a bot has brought for a task',
  description:
    'A task has one result: that of the last bot that worked on it. Tasks that Forager fetches itself have pages instead.',
  params: idParams,
  answer: taskResult,
  problems: ['unknown-task', 'no-result'],
});

export const resultEndpoints = [getTaskResult];
