/**
 * What kind of list it is, told from its first lines: one site a line, or columns with the site and perhaps its
 * rank (`1,google.com` as Tranco and Umbrella write it, `google.com,1`, or a header that names them as Majestic,
 * CrUX and Cloudflare Radar have it). It is decided once for the whole list, because a comma may also be part
 * of a URL.
 */
import { type Separator, splitCells } from './csv-cells.ts';

export type ListForm =
  | { readonly kind: 'plain'; readonly hasHeader: boolean }
  | {
      readonly kind: 'columns';
      readonly separator: Separator;
      readonly siteColumn: number;
      readonly rankColumn: number | undefined;
      readonly hasHeader: boolean;
    };

/** How many lines with something on them are looked at. */
export const SAMPLE_LINES = 10;

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

// The better column first: where a list has both, the domain is what its ranks are about.
const SITE_NAMES = [
  'domain',
  'domainname',
  'rootdomain',
  'hostname',
  'host',
  'site',
  'website',
  'origin',
  'url',
];
const RANK_NAMES = ['globalrank', 'rank', 'position', 'ranking'];

export function recogniseForm(sample: readonly string[]): ListForm {
  const [first = ''] = sample;
  if (SITE_NAMES.includes(plainName(first.replace(/^"|"$/g, '')))) return { kind: 'plain', hasHeader: true };
  for (const separator of SEPARATORS) {
    const form = readHeader(first, separator) ?? readRankedPairs(sample, separator);
    if (form !== undefined) return form;
  }
  return { kind: 'plain', hasHeader: false };
}

function readHeader(line: string, separator: Separator): ListForm | undefined {
  const names = splitCells(line, separator).map(plainName);
  if (names.length < 2) return undefined;
  const siteColumn = findColumn(names, SITE_NAMES);
  if (siteColumn === undefined) return undefined;
  return {
    kind: 'columns',
    separator,
    siteColumn,
    rankColumn: findColumn(names, RANK_NAMES),
    hasHeader: true,
  };
}

function findColumn(names: readonly string[], wanted: readonly string[]): number | undefined {
  return wanted.map((name) => names.indexOf(name)).find((column) => column !== -1);
}

/** Most lines must agree: one bad line among the first must not make all others bad as well. */
function readRankedPairs(sample: readonly string[], separator: Separator): ListForm | undefined {
  let rankFirst = 0;
  let rankSecond = 0;
  for (const line of sample) {
    const [left = '', right = ''] = splitCells(line, separator);
    if (isNumber(left) && looksLikeSite(right)) rankFirst += 1;
    else if (looksLikeSite(left) && isNumber(right)) rankSecond += 1;
  }
  if (Math.max(rankFirst, rankSecond) * 2 <= sample.length) return undefined;
  const rankColumn = rankFirst >= rankSecond ? 0 : 1;
  return { kind: 'columns', separator, siteColumn: 1 - rankColumn, rankColumn, hasHeader: false };
}

/** `Global Rank`, `global_rank` and `GlobalRank` are one name; what is not made of letters is none. */
function plainName(cell: string): string {
  const name = cell.toLowerCase().replace(/[\s_-]/g, '');
  return /^[a-z]+$/.test(name) ? name : '';
}

function isNumber(cell: string): boolean {
  return /^\d+$/.test(cell);
}

function looksLikeSite(cell: string): boolean {
  return !isNumber(cell) && /[.:]/.test(cell);
}
