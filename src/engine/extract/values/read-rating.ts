/** Ratings, brought to a scale of five, and counts of reviews. */

export interface RatingScale {
  /** As written; five unless said otherwise. */
  readonly best?: string | number;
  readonly worst?: string | number;
}

/** Out of five, with at most two decimals, such as "4.35"; undefined: no rating, or one that is off its own scale. */
export function readRating(value: string | number, scale: RatingScale = {}): string | undefined {
  const rating = Number(String(value).trim().replace(',', '.'));
  const best = Number(scale.best ?? 5);
  if (!(rating >= 0 && rating <= best) || best <= 0) return undefined;
  return String(Math.round((rating / best) * 500) / 100);
}

export function readCount(text: string | number): number | undefined {
  const match = /\d{1,3}(?:[.,' ]\d{3})+|\d{1,9}/.exec(String(text).slice(0, 100));
  return match === null ? undefined : Number(match[0].replace(/\D/g, ''));
}
