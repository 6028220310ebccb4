/** All proxies as text, a portion at a time: for keeping, or for taking elsewhere. Never with a password. */
import type { Database } from '../../platform/database.ts';
import { makeRowFormat, type RowFormat } from '../export/row-format.ts';
import { listProxies, type ProxyFilter, type ProxyRecord } from './proxy.ts';
import { writePlace } from './proxy-place.ts';

export type ProxyExportFormat = 'lines' | 'csv' | 'json';

const PORTION = 500;
const FIELDS = [
  ...[
    'id',
    'protocol',
    'host',
    'port',
    'username',
    'hasPassword',
    'isShared',
    'isActive',
    'disabledBy',
    'retryAt',
  ],
  ...['countryCode', 'city', 'provider', 'monthlyCost', 'maxRequestsPerHour', 'exitAddress', 'checkedAt'],
  ...['successCount', 'failuresTotal', 'successRate', 'failureCount', 'avgResponseTimeMs', 'lastUsedAt'],
  ...['lastSuccessAt', 'lastFailureAt', 'lastError', 'domainsCount', 'createdBy', 'createdAt', 'updatedAt'],
] as const satisfies readonly (keyof ProxyRecord)[];

export const CONTENT_TYPES: Readonly<Record<ProxyExportFormat, string>> = {
  lines: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
};

/** Read page by page: nothing is held meanwhile, however slowly somebody takes it. */
export async function* exportProxies(
  db: Database,
  filter: ProxyFilter,
  format: ProxyExportFormat,
): AsyncGenerator<string> {
  const { head, format: write } = makeFormat(format);
  if (head !== '') yield head;
  let below: number | undefined;
  for (;;) {
    const rows = await listProxies(db, filter, below, PORTION);
    if (rows.length > 0) yield rows.map((row) => write({ ...row })).join('');
    if (rows.length < PORTION) return;
    below = rows.at(-1)?.id;
  }
}

function makeFormat(format: ProxyExportFormat): RowFormat {
  if (format === 'lines')
    return { head: '', format: (row) => `${writePlace(row as unknown as ProxyRecord)}\n` };
  return makeRowFormat(format === 'csv' ? 'csv' : 'jsonl', FIELDS);
}
