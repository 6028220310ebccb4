/** What the class and the id of an element say it is. Pages use few of them many times: each is looked at once. */
import {
  ASIDE_CODE,
  BUY_CODE,
  CARD_CODE,
  CRUMB_CODE,
  OTHER_AMOUNT_CODE,
  PRICE_CODE,
  STOCK_CODE,
} from './shop-words.ts';

export const PRICE = 1;
export const STOCK = 2;
export const CRUMBS = 4;
export const BUY = 8;
/** About something else than the page's product. */
export const ASIDE = 16;

const MAX_KNOWN = 5000;
const MAX_LENGTH = 500;

const known = new Map<string, number>();

export function kindsOf(code: string): number {
  const before = known.get(code);
  if (before !== undefined) return before;
  const kinds = code.length > MAX_LENGTH ? 0 : readKinds(code);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(Buffer.from(code, 'utf8').toString('utf8'), kinds);
  return kinds;
}

function readKinds(code: string): number {
  let kinds = 0;
  if (PRICE_CODE.test(code) && !OTHER_AMOUNT_CODE.test(code)) kinds |= PRICE;
  if (STOCK_CODE.test(code)) kinds |= STOCK;
  if (CRUMB_CODE.test(code)) kinds |= CRUMBS;
  if (BUY_CODE.test(code)) kinds |= BUY;
  if (ASIDE_CODE.test(code) || CARD_CODE.test(code)) kinds |= ASIDE;
  return kinds;
}
