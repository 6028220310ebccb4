/** What `forager policy …` does, and what it says about it. */
import type { Command } from 'commander';
import type { z } from 'zod';
import { changePolicy as changeContract, createPolicy as createContract } from '../contract/policies.ts';
import { changePolicy, removePolicy, switchPolicy } from '../control/policies/change-policy.ts';
import { createPolicy } from '../control/policies/create-policy.ts';
import { runPolicy } from '../control/policies/run-policy.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printable } from './format.ts';
import { formatInstant } from './moments.ts';

interface PolicyOptions {
  readonly every?: number;
  readonly priority?: number;
  readonly retries?: number;
  readonly backoff?: number;
  readonly timeout?: number;
  readonly executor?: 'forager' | 'bot';
}

interface AddOptions extends PolicyOptions {
  readonly first?: Date;
  readonly disabled?: true;
  readonly allowPrivate?: true;
}

export async function addPolicy(url: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<AddOptions>();
  const context = makeContext(command, options.allowPrivate === true ? { allowPrivate: true } : {});
  const { config } = context;
  const given = parse(createContract.body, {
    ...{ ...fieldsOf(options), url, isEnabled: options.disabled !== true },
    ...(options.first === undefined ? {} : { nextRunAt: options.first.toISOString() }),
  });
  const rules = { unknownDomains: config.unknownDomains, allowPrivate: config.allowPrivate };
  const created = await withDatabase(config, (db) => createPolicy(db, given, rules, cliActor()));
  const when = options.first === undefined ? 'at once' : formatInstant(created.nextRunAt);
  tell(context, created, [
    `Policy ${created.id} is for ${created.url}.`,
    created.isEnabled ? `It is run ${when}.` : 'It is off until somebody enables it.',
  ]);
}

export async function setPolicy(id: number, command: Command): Promise<void> {
  const options = command.optsWithGlobals<PolicyOptions & { readonly next?: Date }>();
  const context = makeContext(command);
  const patch = parse(changeContract.body, {
    ...fieldsOf(options),
    ...(options.next === undefined ? {} : { nextRunAt: options.next.toISOString() }),
  });
  if (Object.keys(patch).length === 0) {
    throw new UsageError('Nothing to set: no setting was given.', 'give one such as --every 12h');
  }
  const changed = await withDatabase(context.config, (db) => changePolicy(db, id, patch, cliActor()));
  tell(context, changed, [
    `Policy ${id} has its new settings; it is due ${formatInstant(changed.nextRunAt)}.`,
    ...(changed.liveTaskId === null ? [] : [`Its task ${changed.liveTaskId} goes on as it was ordered.`]),
  ]);
}

export async function switchAndTell(id: number, isEnabled: boolean, command: Command): Promise<void> {
  const context = makeContext(command);
  const policy = await withDatabase(context.config, (db) => switchPolicy(db, id, isEnabled, cliActor()));
  const already = policy.changed ? '' : ' already';
  const task =
    !isEnabled && policy.liveTaskId !== null
      ? [`Its task ${policy.liveTaskId} (${policy.liveTaskStatus}) goes on: cancel it to stop it.`]
      : [];
  tell(context, policy, [
    isEnabled
      ? `Policy ${id} is on${already}; it is due ${formatInstant(policy.nextRunAt)}.`
      : `Policy ${id} is off${already}: there are no further runs.`,
    ...task,
  ]);
}

export async function runPolicyNow(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const start = await withDatabase(context.config, (db) => runPolicy(db, id, cliActor()));
  tell(context, start, [
    start.changed
      ? `Policy ${id} is run now: task ${start.taskId}.`
      : `Nothing to do: task ${start.taskId} is for that page already (${start.taskStatus}).`,
  ]);
}

export async function removeAndTell(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const removed = await withDatabase(context.config, (db) => removePolicy(db, id, cliActor()));
  tell(context, { ...removed, isRemoved: true }, [
    `Policy ${id} is gone; its tasks stay.`,
    ...(removed.liveTaskId === null ? [] : [`Task ${removed.liveTaskId} is under way, and the last.`]),
  ]);
}

function fieldsOf({ every, priority, retries, backoff, timeout, executor }: PolicyOptions): object {
  const given = {
    ...{ frequencyHours: every, priority, maxRetries: retries, retryBackoffMinutes: backoff },
    ...{ timeoutMinutes: timeout, executor },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const OPTION_OF: Readonly<Record<string, string>> = {
  frequencyHours: '--every',
  priority: '--priority',
  maxRetries: '--retries',
  retryBackoffMinutes: '--backoff',
  timeoutMinutes: '--timeout',
};

/** The bounds are those of the contract. */
function parse<T extends z.ZodType>(schema: T | undefined, value: unknown): z.output<T> {
  const parsed = schema?.safeParse(value);
  if (parsed?.success === true) return parsed.data;
  const issue = parsed?.error.issues[0];
  const field = String(issue?.path[0] ?? '');
  throw new UsageError(`The ${OPTION_OF[field] ?? field} is not possible: ${issue?.message}.`);
}

function tell(context: CommandContext, result: object, sentences: readonly string[]): void {
  if (context.isJson) context.printJson(result);
  else for (const sentence of sentences) context.printLine(printable(sentence));
}
