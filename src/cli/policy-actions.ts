/** What `forager policy …` does, and what it says about it. */
import type { Command } from 'commander';
import { changePolicy as changeContract, createPolicy as createContract } from '../contract/policies.ts';
import type { Wanted } from '../contract/task-shapes.ts';
import { changePolicy, removePolicy, switchPolicy } from '../control/policies/change-policy.ts';
import { createPolicy } from '../control/policies/create-policy.ts';
import type { Policy } from '../control/policies/policy.ts';
import { type PolicyStart, runPolicy } from '../control/policies/run-policy.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { type OptionOf, parseOptions } from './explain-option.ts';
import { printable } from './format.ts';
import { formatInstant } from './moments.ts';
import { describeDelay, findDelay } from './policy-delay.ts';

interface PolicyOptions {
  readonly every?: number;
  readonly priority?: number;
  readonly retries?: number;
  readonly backoff?: number;
  readonly timeout?: number;
  readonly executor?: 'forager' | 'bot';
  readonly wanted?: Wanted;
  readonly followDepth?: number;
  readonly followLimit?: number;
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
  const given = parseOptions(
    createContract.body,
    {
      ...{ ...fieldsOf(options), url, isEnabled: options.disabled !== true },
      ...(options.first === undefined ? {} : { nextRunAt: options.first.toISOString() }),
    },
    OPTION_OF,
  );
  const rules = { unknownDomains: config.unknownDomains, allowPrivate: config.allowPrivate };
  const created = await withDatabase(config, (db) => createPolicy(db, given, rules, cliActor()));
  const when = options.first === undefined ? 'at once' : formatInstant(created.nextRunAt);
  tell(context, created, [
    `Policy ${created.id} is for ${created.url}.`,
    ...(created.liveTaskId === null
      ? [created.isEnabled ? `It is run ${when}.` : 'It is off until somebody enables it.']
      : describeFirst(context, created)),
  ]);
}

export async function setPolicy(id: number, command: Command): Promise<void> {
  const options = command.optsWithGlobals<PolicyOptions & { readonly next?: Date }>();
  const context = makeContext(command);
  const patch = parseOptions(
    changeContract.body,
    {
      ...fieldsOf(options),
      ...(options.next === undefined ? {} : { nextRunAt: options.next.toISOString() }),
    },
    OPTION_OF,
  );
  if (Object.keys(patch).length === 0) {
    throw new UsageError('Nothing to set: no setting was given.', 'give one such as --every 12h');
  }
  const changed = await withDatabase(context.config, (db) => changePolicy(db, id, patch, cliActor()));
  tell(context, changed, [
    `Policy ${id} has its new settings; it is due ${formatInstant(changed.nextRunAt)}.`,
    ...(changed.liveTaskId === null
      ? []
      : [`Its task ${changed.liveTaskId} goes on as it was ordered${describeDelay(changed)}.`]),
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
      ? `Policy ${id} is on${already}; it is due ${describeDue(policy)}.`
      : `Policy ${id} is off${already}: there are no further runs.`,
    ...task,
  ]);
}

function describeDue(policy: Policy): string {
  if (policy.liveTaskId === null) return formatInstant(policy.nextRunAt);
  return `when task ${policy.liveTaskId} is over${describeDelay(policy)}`;
}

export async function runPolicyNow(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const start = await withDatabase(context.config, (db) => runPolicy(db, id, cliActor()));
  tell(context, start, [describeStart(context, start)]);
}

/** A task that was there before is its first run: it may be due later than "at once". */
function describeFirst(context: CommandContext, policy: Policy): string[] {
  const { id, liveTaskId, liveTaskStatus } = policy;
  const delay = findDelay(policy);
  const first = `Task ${liveTaskId} is for that page already (${liveTaskStatus}): it counts as its first run.`;
  if (delay === undefined) return [first];
  if (delay === 'paused') {
    return [first, `It is paused: "${context.suggest(`task resume ${liveTaskId}`)}" lets it go on.`];
  }
  return [
    first,
    `It is due ${formatInstant(delay)}: "${context.suggest(`policy run ${id}`)}" brings it forward.`,
  ];
}

function describeStart(context: CommandContext, start: PolicyStart): string {
  const { id, taskId, taskStatus, changed, isBroughtForward } = start;
  if (isBroughtForward) return `Policy ${id} is run now: task ${taskId}, which was to run later, is due.`;
  if (changed) return `Policy ${id} is run now: task ${taskId}.`;
  if (taskStatus === 'paused') {
    return `Task ${taskId} is for that page already, and is paused: "${context.suggest(`task resume ${taskId}`)}" lets it go on.`;
  }
  return `Nothing to do: task ${taskId} is for that page already (${taskStatus}).`;
}

export async function removeAndTell(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const removed = await withDatabase(context.config, (db) => removePolicy(db, id, cliActor()));
  tell(context, { ...removed, isRemoved: true }, [
    `Policy ${id} is gone; its tasks stay.`,
    ...(removed.liveTaskId === null ? [] : [`Task ${removed.liveTaskId} is under way, and the last.`]),
  ]);
}

function fieldsOf(options: PolicyOptions): object {
  const { every, priority, retries, backoff, timeout, executor, wanted, followDepth, followLimit } = options;
  const given = {
    ...{ followDepth, followLimit },
    ...{ frequencyHours: every, priority, maxRetries: retries, retryBackoffMinutes: backoff },
    ...{ timeoutMinutes: timeout, executor, wanted },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const OPTION_OF: Readonly<Record<string, OptionOf>> = {
  url: { name: 'URL' },
  frequencyHours: { name: '--every' },
  priority: { name: '--priority' },
  maxRetries: { name: '--retries' },
  retryBackoffMinutes: { name: '--backoff' },
  timeoutMinutes: { name: '--timeout' },
  followDepth: { name: '--follow-depth' },
  followLimit: { name: '--follow-limit' },
};

function tell(context: CommandContext, result: object, sentences: readonly string[]): void {
  if (context.isJson) context.printJson(result);
  else for (const sentence of sentences) context.printLine(printable(sentence));
}
