/** How well pages were parsed, in figures. */

export interface ParseCounts {
  /** All that were read. */
  readonly pages: number;
  readonly valid: number;
  readonly partial: number;
  readonly invalid: number;
  /** Had a product before, and have none. */
  readonly lost: number;
  /** The parser itself has failed. */
  readonly failed: number;
}

export interface ParseFigures extends ParseCounts {
  /** Valid ones out of all pages that have, or should have, a product; null: there were none. */
  readonly rate: number | null;
}

export const NO_COUNTS: ParseCounts = { pages: 0, valid: 0, partial: 0, invalid: 0, lost: 0, failed: 0 };

/** Pages with products on them, as far as anybody can tell: a parser that has failed cannot. */
export function productPages({ valid, partial, invalid, lost, failed }: ParseCounts): number {
  return valid + partial + invalid + lost + failed;
}

export function withRate(counts: ParseCounts): ParseFigures {
  const { pages, valid, partial, invalid, lost, failed } = counts;
  return { pages, valid, partial, invalid, lost, failed, rate: rateOf(valid, productPages(counts)) };
}

/** To a hundredth of a percent. */
export function rateOf(valid: number, products: number): number | null {
  return products === 0 ? null : Math.round((valid / products) * 10_000) / 10_000;
}
