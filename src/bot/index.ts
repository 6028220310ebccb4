/** `forager/bot`: what a program needs that pulls work from Forager and hands in results. */
export { BotClient, type BotClientOptions, type PullOptions } from './bot-client.ts';
export { BotError, type BotErrorFacts } from './bot-error.ts';
export type { BotJob, Extended, JobLock, JobResult, Pulled, Submitted, Wanted } from './shapes.ts';
export type { Handler, JobContext, WorkOptions, WorkSummary } from './work.ts';
