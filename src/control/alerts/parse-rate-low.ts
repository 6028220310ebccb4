/** A parser finds much less than it did, as happens when a site is rebuilt, or when a new version of it is worse. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule, Finding } from './rule.ts';

const findPoorParsers = loadSql(import.meta.url, './find-poor-parsers.sql');

/** Of fewer pages with products, a few bad ones say nothing. */
const LEAST_PRODUCTS = 20;
/** A parser that was chosen for a domain should do better. The generic one is asked of every site there is. */
const LEAST_RATE = 0.5;
const MOST_DROP = 0.2;
const MOST_TOLD = 100;

interface PoorParser {
  readonly domain: string;
  readonly parser: string;
  readonly version: string;
  readonly versionBefore: string | null;
  readonly rate: number;
  /** Null: there were too few to say. */
  readonly rateBefore: number | null;
  readonly products: number;
  readonly failed: number;
}

export const parseRateLow: AlertRule = {
  code: 'parse-rate-low',
  severity: 'warning',
  hint: 'see how it did by day (GET /api/parsers/<name>, "forager parser show") and what it finds on some of the pages ("forager inspect"), correct it, and try the new one on stored pages before switching: "forager parser compare"',
  find: async ({ db }) => {
    const values = [LEAST_PRODUCTS, LEAST_RATE, MOST_DROP, MOST_TOLD];
    const { rows } = await db.query<PoorParser>(findPoorParsers, values);
    return rows.map(describe);
  },
};

function describe(found: PoorParser): Finding {
  const { domain, parser, version, versionBefore, rate, rateBefore, products, failed } = found;
  const who = `The parser ${parser} (version ${version})`;
  const what = `finds what a product needs on ${percent(rate)} of ${products} product pages of ${domain}`;
  const before =
    rateBefore === null
      ? ''
      : `; in the seven days before it was ${percent(rateBefore)}${versionBefore !== null && versionBefore !== version ? ` (version ${versionBefore})` : ''}`;
  const defect = failed === 0 ? '' : ` It has failed itself on ${failed} of them.`;
  return { subject: `${domain} ${parser}`, message: `${who} ${what}${before}.${defect}` };
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}
