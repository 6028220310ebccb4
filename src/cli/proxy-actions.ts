/** What `forager proxy …` does with single proxies, and what it says about it. */
import type { Command } from 'commander';
import { changeProxy, deleteProxy, type ProxyChanges } from '../control/proxies/change-proxy.ts';
import { badProxy, createProxy } from '../control/proxies/create-proxy.ts';
import { describeOutage } from '../control/proxies/pool.ts';
import { listProxies, type ProxyRecord, readProxy } from '../control/proxies/proxy.ts';
import { readProxyLine } from '../control/proxies/proxy-line.ts';
import { type ProxyAccess, writePlace } from '../control/proxies/proxy-place.ts';
import { cliActor } from './cli-actor.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printFields } from './field-list.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import {
  type DetailOptions,
  type FilterOptions,
  proxyRules,
  readDetails,
  readFilter,
} from './proxy-options.ts';
import { countOf, DOMAINS } from './proxy-words.ts';
import { readKnownPassword } from './read-password.ts';

const PAGE_ROWS = 500;

interface AddOptions extends DetailOptions {
  readonly passwordStdin?: true;
  readonly disabled?: true;
}

export async function addProxy(url: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<AddOptions>();
  const details = readDetails(options);
  const access = expectProxy(url);
  const password = await findPassword(context, access, options.passwordStdin === true);
  const wanted = { ...access, ...details, password, isActive: options.disabled !== true };
  const made = await withDatabase(context.config, async (db) =>
    createProxy(db, wanted, await proxyRules(db, context.config), cliActor()),
  );
  if (context.isJson) context.printJson(made);
  else context.printLine(`Proxy ${made.id} is added: ${describePlace(made)}`);
}

function expectProxy(url: string): ProxyAccess {
  const reading = readProxyLine(url);
  if (reading?.kind === 'proxy') return reading.proxy;
  throw badProxy(reading?.reason ?? 'nothing stands there');
}

/** A password among the arguments has been seen by others already: it is taken, with a word about it. */
async function findPassword(
  context: CommandContext,
  { username, password }: ProxyAccess,
  isOnInput: boolean,
): Promise<string | null> {
  if (password !== null) {
    if (isOnInput)
      throw new UsageError('The URL has a password, and --password-stdin says that it comes otherwise.');
    context.err.write(
      'forager: A password among the arguments is seen in the list of processes and kept by the shell; ' +
        '--password-stdin, or being asked for it, is safer.\n',
    );
    return password;
  }
  if (username === null) {
    if (isOnInput) throw new UsageError('A password needs a user name: protocol://user@host:port.');
    return null;
  }
  return (await readKnownPassword(isOnInput, `Password of ${printable(username)} (Enter: none): `)) ?? null;
}

interface SetOptions extends DetailOptions {
  readonly url?: string;
  readonly user?: string;
  /** False: --no-password. */
  readonly password?: boolean;
  readonly passwordStdin?: true;
  readonly yes?: true;
}

export async function setProxy(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<SetOptions>();
  const changes = { ...readDetails(options), ...(await readPlaceChanges(context, options)) };
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new UsageError(
      'There is nothing to change.',
      `"${context.suggest('proxy set --help')}" shows what there is`,
    );
  }
  const changed = await withDatabase(context.config, async (db) =>
    changeProxy(db, id, changes, await proxyRules(db, context.config), cliActor(), options.yes === true),
  );
  if (context.isJson) context.printJson(changed);
  else context.printLine(`Proxy ${id} is changed: ${describePlace(changed)}`);
}

async function readPlaceChanges(context: CommandContext, options: SetOptions): Promise<ProxyChanges> {
  const { url, user, password: asks, passwordStdin } = options;
  const access = url === undefined ? undefined : expectProxy(url);
  const place = access && {
    ...{ protocol: access.protocol, host: access.host, port: access.port },
    ...(access.username !== null && { username: access.username }),
  };
  const username = user === undefined ? {} : { username: user === 'none' ? null : user };
  return { ...place, ...username, ...(await readNewPassword(context, access, asks, passwordStdin === true)) };
}

async function readNewPassword(
  context: CommandContext,
  access: ProxyAccess | undefined,
  asks: boolean | undefined,
  isOnInput: boolean,
): Promise<Pick<ProxyChanges, 'password'>> {
  if (asks === false) {
    if (isOnInput) throw new UsageError('--no-password and --password-stdin exclude each other.');
    return { password: null };
  }
  if (access !== undefined && access.password !== null)
    return { password: await findPassword(context, access, isOnInput) };
  if (asks !== true && !isOnInput) return {};
  const password = await readKnownPassword(isOnInput, 'New password: ');
  if (password !== undefined) return { password };
  throw new UsageError(
    'There is no password.',
    'type one at a terminal, hand it over with --password-stdin, or remove it with --no-password',
  );
}

export async function showProxies(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<FilterOptions & { readonly limit: number }>();
  const filter = readFilter(options);
  const found = await withDatabase(context.config, async (db) => {
    const rows: ProxyRecord[] = [];
    while (rows.length < options.limit) {
      const size = Math.min(PAGE_ROWS, options.limit - rows.length);
      const page = await listProxies(db, filter, rows.at(-1)?.id, size);
      rows.push(...page);
      if (page.length < size) break;
    }
    return rows;
  });
  if (context.isJson) {
    for (const proxy of found) context.printJson(proxy);
    return;
  }
  if (found.length === 0) {
    const isAll = Object.values(filter).every((value) => value === undefined);
    context.printLine(
      isAll
        ? `There are no proxies. "${context.suggest('proxy add http://user@host:port')}" adds one.`
        : `No proxy is like that. "${context.suggest('proxy list')}" shows all of them.`,
    );
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[
        { title: 'ID', align: 'right' as const },
        { title: 'PROXY', least: SHORTEST_URL },
        { title: 'STATE' },
      ],
      ...[
        { title: 'SUCCESS', align: 'right' as const },
        { title: 'MS', align: 'right' as const, drop: 4 },
      ],
      ...[
        { title: 'FOR', drop: 3 },
        { title: 'WHERE', drop: 2 },
        { title: 'LAST USED', drop: 1 },
      ],
    ],
    found.map((proxy) => [
      ...[String(proxy.id), printable(writePlace(proxy)), stateOf(proxy), percent(proxy.successRate)],
      ...[
        String(proxy.avgResponseTimeMs ?? '-'),
        proxy.isShared ? 'all' : countOf(proxy.domainsCount, DOMAINS),
      ],
      ...[proxy.countryCode ?? '-', describeMoment(proxy.lastUsedAt)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const [index, proxy] of found.entries()) {
    context.printLine(lines[index] ?? '');
    if (!proxy.isActive) printBelow(context, describeOut(proxy));
  }
}

export function percent(rate: number | null): string {
  return rate === null ? '-' : `${(rate * 100).toFixed(rate === 1 ? 0 : 1)} %`;
}

function stateOf({ isActive, disabledBy }: ProxyRecord): string {
  if (isActive) return 'active';
  return disabledBy === 'failures' ? 'out' : 'off';
}

function describeOut({ disabledBy, retryAt, lastError }: ProxyRecord): string {
  const because = disabledBy === 'failures' && lastError !== null ? `: ${lastError}` : '';
  return `${describeOutage(disabledBy, retryAt)}${because}`;
}

function describePlace(proxy: ProxyRecord): string {
  const without = proxy.username === null ? '' : ', without a password';
  const secret = proxy.hasPassword ? ', with a password' : without;
  const use = proxy.isShared ? 'for all domains' : 'for those it is assigned to';
  return `${printable(writePlace(proxy))}${secret}, ${use}${proxy.isActive ? '' : ', switched off'}.`;
}

export async function showProxy(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const proxy = await withDatabase(context.config, (db) => readProxy(db, id));
  if (context.isJson) {
    context.printJson(proxy);
    return;
  }
  const { successCount, failuresTotal, requestsLastHour, maxRequestsPerHour } = proxy;
  printFields(context, [
    ...([
      ['Proxy', writePlace(proxy)],
      ['Password', proxy.hasPassword ? 'kept, encrypted' : 'none'],
      ['State', proxy.isActive ? 'active' : describeOutage(proxy.disabledBy, proxy.retryAt)],
      ['Used by', proxy.isShared ? 'all domains without a pool' : 'domains it is assigned to'],
      ['In pools of', countOf(proxy.domainsCount, DOMAINS)],
    ] as const),
    ...([
      [
        'Requests',
        `${formatCount(successCount + failuresTotal)}, of which ${percent(proxy.successRate)} succeeded`,
      ],
      ['Failures in a row', proxy.failureCount === 0 ? undefined : proxy.failureCount],
      ['Last hour', `${formatCount(requestsLastHour)} of ${formatCount(maxRequestsPerHour)} requests`],
      ['Average time', proxy.avgResponseTimeMs === null ? undefined : `${proxy.avgResponseTimeMs} ms`],
      ['Last used', describeMoment(proxy.lastUsedAt)],
      ['Last error', proxy.lastError],
    ] as const),
    ...([
      ['Seen as', proxy.exitAddress],
      ['Checked', describeMoment(proxy.checkedAt)],
      ['Where', [proxy.city, proxy.countryCode].filter((part) => part !== null).join(', ')],
      ['Provider', proxy.provider],
      ['Monthly cost', proxy.monthlyCost],
      ['Made', `${formatMoment(proxy.createdAt)} by ${proxy.createdBy}`],
    ] as const),
  ]);
}

export async function switchProxies(
  ids: readonly number[],
  isActive: boolean,
  command: Command,
): Promise<void> {
  const context = makeContext(command);
  await withDatabase(context.config, async (db) => {
    for (const id of ids) {
      const proxy = await changeProxy(db, id, { isActive }, undefined, cliActor());
      if (context.isJson) context.printJson(proxy);
      else context.printLine(`Proxy ${id} is ${isActive ? 'on' : 'off'}: ${printable(writePlace(proxy))}`);
    }
  });
}

export async function removeProxy(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { yes } = command.optsWithGlobals<{ readonly yes?: true }>();
  await withDatabase(context.config, (db) => deleteProxy(db, id, yes === true, cliActor()));
  if (context.isJson) context.printJson({ id, isRemoved: true });
  else context.printLine(`Proxy ${id} is removed.`);
}
