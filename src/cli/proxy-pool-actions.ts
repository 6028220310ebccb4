/** What `forager proxy …` does with the pools of domains, and what it says about it. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import { assignProxies, changePair, resetPool, unassignProxy } from '../control/proxies/assign-proxies.ts';
import { listPool, listPoolHealth, type PairedProxy, type PoolHealth } from '../control/proxies/pool.ts';
import { sizePool } from '../control/proxies/pool-sizing.ts';
import type { Database } from '../platform/database.ts';
import { cliActor } from './cli-actor.ts';
import { makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import { percent } from './proxy-actions.ts';
import { countOf, PROXIES } from './proxy-words.ts';
import { wrapFor } from './wrap-text.ts';

const PAGE_ROWS = 500;

export async function assign(domain: string, ids: readonly number[], command: Command): Promise<void> {
  const context = makeContext(command);
  const { priority, maxPerHour } = command.optsWithGlobals<{
    readonly priority?: number;
    readonly maxPerHour?: number;
  }>();
  const assignment = { priority, maxRequestsPerHour: maxPerHour };
  const done = await withDatabase(context.config, (db) =>
    assignProxies(db, domain, ids, assignment, cliActor()),
  );
  if (context.isJson) context.printJson(done);
  else {
    const changed = done.changed === 0 ? '' : `, ${countOf(done.changed, ['was', 'were'])} already`;
    const assigned = countOf(done.assigned, PROXIES, ['is', 'are']);
    context.printLine(`${assigned} newly assigned to ${done.domain}${changed}.`);
  }
}

export async function unassign(domain: string, id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { yes } = command.optsWithGlobals<{ readonly yes?: true }>();
  await withDatabase(context.config, (db) => unassignProxy(db, domain, id, yes === true, cliActor()));
  if (context.isJson) context.printJson({ domain, id, isAssigned: false });
  else context.printLine(`Proxy ${id} is no longer in the pool of ${printable(domain)}.`);
}

interface PoolOptions {
  readonly met?: true;
  readonly on?: number;
  readonly off?: number;
  readonly limit: number;
}

export async function showPool(domain: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { met, on, off, limit } = command.optsWithGlobals<PoolOptions>();
  if (on !== undefined && off !== undefined) throw new UsageError('--on and --off exclude each other.');
  const pairs = await withDatabase(context.config, async (db) => {
    const switched = on ?? off;
    if (switched !== undefined) {
      return [await changePair(db, domain, switched, { isActive: on !== undefined }, cliActor())];
    }
    return readPool(db, domain, met === true, limit);
  });
  if (context.isJson) {
    for (const pair of pairs) context.printJson(pair);
    return;
  }
  if (pairs.length === 0) {
    context.printLine(`${printable(domain)} has no proxies of its own.`);
    return;
  }
  const right = 'right' as const;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[
        { title: 'ID', align: right },
        { title: 'PROXY', least: SHORTEST_URL },
        { title: 'PRIO', align: right, drop: 4 },
      ],
      ...[{ title: 'STATE' }, { title: 'SUCCESS', align: right }, { title: 'MS', align: right, drop: 3 }],
      ...[
        { title: 'LAST HOUR', align: right, drop: 2 },
        { title: 'LAST USED', drop: 1 },
      ],
    ],
    pairs.map((pair) => [
      ...[String(pair.proxyId), printable(pair.proxy), String(pair.priority)],
      ...[
        pair.state === 'disabled' ? 'off' : pair.state,
        percent(pair.successRate),
        String(pair.avgResponseTimeMs ?? '-'),
      ],
      `${pair.requestsLastHour}/${pair.effectiveMaxRequestsPerHour}`,
      describeMoment(pair.lastUsedAt),
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const [index, pair] of pairs.entries()) {
    context.printLine(lines[index] ?? '');
    if (pair.whyOut !== null) printBelow(context, describeOut(pair));
    if (!pair.isAssigned) printBelow(context, 'shared: not in the pool of this domain');
  }
}

function describeOut({ whyOut, lastError }: PairedProxy): string {
  return lastError === null ? (whyOut ?? '') : `${whyOut} Last error: ${lastError}`;
}

async function readPool(db: Database, name: string, isMet: boolean, limit: number): Promise<PairedProxy[]> {
  const { id } = await findDomain(db, name);
  const pairs: PairedProxy[] = [];
  while (pairs.length < limit) {
    const size = Math.min(PAGE_ROWS, limit - pairs.length);
    const page = await listPool(db, id, isMet ? undefined : true, pairs.at(-1), size);
    pairs.push(...page);
    if (page.length < size) break;
  }
  return pairs;
}

export async function reset(domain: string, id: number | undefined, command: Command): Promise<void> {
  const context = makeContext(command);
  const done = await withDatabase(context.config, (db) => resetPool(db, domain, id, cliActor()));
  if (context.isJson) {
    context.printJson(done);
    return;
  }
  const still =
    done.stillOut === 0
      ? ''
      : ` ${countOf(done.stillOut, ['is', 'are'])} still out: "forager proxy pool ${done.domain}" says why.`;
  const sentence = `The failures of ${countOf(done.reset, PROXIES)} of ${done.domain} are forgotten.${still}`;
  for (const line of wrapFor(context.out, sentence, 0)) context.printLine(line);
}

export async function showSizing(domain: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { urlsPerHour, maxPerHour } = command.optsWithGlobals<{
    readonly urlsPerHour?: number;
    readonly maxPerHour?: number;
  }>();
  const question = { urlsPerHour, maxRequestsPerProxyPerHour: maxPerHour };
  const sizing = await withDatabase(context.config, (db) =>
    sizePool(db, domain, question, context.config.delayMs),
  );
  if (context.isJson) context.printJson(sizing);
  else for (const line of wrapFor(context.out, sizing.advice, 0)) context.printLine(line);
}

export async function showHealth(command: Command): Promise<void> {
  const context = makeContext(command);
  const { limit } = command.optsWithGlobals<{ readonly limit: number }>();
  const found = await withDatabase(context.config, async (db) => {
    const rows: PoolHealth[] = [];
    while (rows.length < limit) {
      const size = Math.min(PAGE_ROWS, limit - rows.length);
      const page = await listPoolHealth(db, rows.at(-1)?.id, size);
      rows.push(...page);
      if (page.length < size) break;
    }
    return rows;
  });
  if (context.isJson) {
    for (const { id: _, ...health } of found) context.printJson(health);
    return;
  }
  if (found.length === 0) {
    context.printLine('No domain has used a proxy yet.');
    return;
  }
  const right = 'right' as const;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[{ title: 'DOMAIN' }, { title: 'ACTIVE', align: right }, { title: 'OUT', align: right }],
      ...[
        { title: 'SUCCESS', align: right },
        { title: 'MS', align: right, drop: 2 },
      ],
      ...[
        { title: 'LAST HOUR', align: right, drop: 1 },
        { title: 'FAILED', align: right, drop: 1 },
      ],
    ],
    found.map((one) => [
      ...[one.domain, `${one.activeProxies}/${one.totalProxies}`, String(one.failingProxies)],
      ...[percent(one.successRate), String(one.avgResponseTimeMs ?? '-')],
      ...[formatCount(one.requestsLastHour), formatCount(one.failuresLastHour)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const [index, one] of found.entries()) {
    context.printLine(lines[index] ?? '');
    if (one.isWaiting) printBelow(context, one.waitingBecause ?? 'It waits for a proxy.');
  }
}
