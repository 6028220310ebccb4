/** Prints `domain claims`: who holds which domains, and what waits for somebody to take it. */
import type { Command } from 'commander';
import { type ClaimsReport, readClaims } from '../control/domains/read-claims.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printHeading } from './field-list.ts';
import { fitTable } from './fit-table.ts';
import { formatCount, formatTable, pad, printable } from './format.ts';
import { describeMoment, formatMoment, formatSpan } from './moments.ts';
import { paintStatus } from './show-domains.ts';

export async function showClaims(command: Command): Promise<void> {
  const context = makeContext(command);
  const report = await withDatabase(context.config, readClaims);
  if (context.isJson) {
    context.printJson(report);
    return;
  }
  printClaims(context, report);
  printExpired(context, report);
  printUnclaimed(context, report);
}

function printClaims(context: CommandContext, { claims }: ClaimsReport): void {
  const { style } = context.out;
  if (claims.length === 0) {
    context.printLine('Nobody holds a domain.');
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [{ title: 'WORKER' }, { title: 'DOMAINS', align: 'right' }, { title: 'EARLIEST EXPIRY' }],
    claims.map(({ worker, domains, earliestExpiry, expiresInSeconds }) => [
      printable(worker),
      formatCount(domains),
      `${formatMoment(earliestExpiry)}, in ${formatSpan(expiresInSeconds)}`,
    ]),
  );
  context.printLine(style.bold(head));
  for (const line of lines) context.printLine(line);
}

function printExpired(context: CommandContext, { expired }: ClaimsReport): void {
  if (expired.domains === 0) return;
  const since = expired.oldestExpiry === null ? '' : `, the first on ${formatMoment(expired.oldestExpiry)}`;
  const leases = expired.domains === 1 ? '1 lease' : `${formatCount(expired.domains)} leases`;
  context.printLine();
  context.printLine(
    context.out.style.yellow(`${leases} ran out${since}, not freed yet: whoever claims next does that.`),
  );
}

function printUnclaimed(context: CommandContext, { unclaimed }: ClaimsReport): void {
  const told = unclaimed.filter(
    (row) => row.ready + row.inStoppedCrawls + row.resting + row.needReset + row.switchedOff > 0,
  );
  if (told.length === 0) return;
  const { style } = context.out;
  printHeading(context, 'Held by nobody');
  const count = (value: number): string => (value === 0 ? '-' : formatCount(value));
  const [head = '', ...lines] = formatTable(
    [
      { title: 'STATUS' },
      { title: 'READY', align: 'right' },
      { title: 'IN STOPPED CRAWLS', align: 'right' },
      { title: 'RESTING', align: 'right' },
      { title: 'FIRST WAKES' },
      { title: 'NEED RESET', align: 'right' },
      { title: 'OFF', align: 'right' },
    ],
    told.map((row) => [
      pad(paintStatus(row.status, style), 11, 'left'),
      count(row.ready),
      count(row.inStoppedCrawls),
      count(row.resting),
      describeMoment(row.firstWakesAt),
      count(row.needReset),
      count(row.switchedOff),
    ]),
  );
  context.printLine(style.dim(head));
  for (const line of lines) context.printLine(line);
}
