/** Ratings, brought to a scale of five. */
import { foldText } from './fold-text.ts';

export interface RatingScale {
  /** As written; five unless said otherwise. */
  readonly best?: string | number | undefined;
  readonly worst?: string | number | undefined;
}

const MOST_CHARACTERS = 200;
const NUMBER = String.raw`(\d{1,6}(?:[.,]\d{1,12})?)`;
/** "4.5 out of 5" and "9/10"; first the rating, then the best there is. */
const OUT_OF = new RegExp(
  `${NUMBER}\\s?(?:(?:stars?|sterne?n?|points?|punkte?n?|étoiles?|estrellas?|stelle|estrelas|sterren|gwiazdek|hvězd|分|점|颗星|つ星)[,，（( ]{0,2})?(?:/|out of|of|von|sur|de|di|su|van|av|af|z|ze|из|з|од|от|din|σε|από|auf|az|max\\.?|最多|满分|滿分|中)\\s?(?:max(?:imal|imum)?\\.?\\s?)?${NUMBER}`,
  'iu',
);
/** The other way round: "5つ星のうち4.5", "5 üzerinden 4,5", "5점 만점에 4.5점". */
const BEST_FIRST = new RegExp(
  `${NUMBER}\\s?(?:つ星のうち|点満点中|üzerinden|점 만점에|개 중|-ből|-ből:|-ös skálán|から|分制)\\s?${NUMBER}`,
  'iu',
);
const PERCENT = new RegExp(`^\\D{0,60}?${NUMBER}\\s?%`, 'u');
const FIRST_NUMBER = new RegExp(`(?<![\\d.,-])${NUMBER}(?![\\d.,]?\\d|[eE]\\d)`, 'u');
const NOTHING_BUT_A_NUMBER = new RegExp(`^${NUMBER}$`);
const FULL_STARS = /[★⭐🌟✭✮]/gu;
const EMPTY_STARS = /[☆✩✰]/gu;
const HALF_STARS = /[½⯪⯨]/gu;
/** Millionths: exact for whatever a rating is written with. */
const SCALE = 1_000_000n;

/** Out of five, with at most two decimals, such as "4.35"; undefined: no rating, or one that is off its own scale. */
export function readRating(value: string | number, scale: RatingScale = {}): string | undefined {
  const text = foldText(String(value).slice(0, MOST_CHARACTERS));
  if (NOTHING_BUT_A_NUMBER.test(text)) return onScale(text, scale);
  const stars = readStars(text);
  if (stars !== undefined) return stars;
  const outOf = OUT_OF.exec(text);
  if (outOf !== null) return toFive(outOf[1], outOf[2], undefined);
  const bestFirst = BEST_FIRST.exec(text);
  if (bestFirst !== null) return toFive(bestFirst[2], bestFirst[1], undefined);
  const percent = PERCENT.exec(text);
  if (percent !== null) return toFive(percent[1], '100', undefined);
  const number = FIRST_NUMBER.exec(text);
  return number === null ? undefined : onScale(number[1], scale);
}

function onScale(rating: string | undefined, scale: RatingScale): string | undefined {
  return toFive(rating, readBound(scale.best) ?? '5', readBound(scale.worst));
}

function readBound(bound: string | number | undefined): string | undefined {
  if (bound === undefined) return undefined;
  return /^\s*(\d{1,6}(?:[.,]\d{1,12})?)\s*$/.exec(String(bound))?.[1];
}

function readStars(text: string): string | undefined {
  if (/\d/.test(text)) return undefined;
  const full = text.match(FULL_STARS)?.length ?? 0;
  const half = text.match(HALF_STARS)?.length ?? 0;
  const empty = text.match(EMPTY_STARS)?.length ?? 0;
  if (full + empty === 0) return undefined;
  const total = Math.max(5, full + half + empty);
  return total > 10 ? undefined : toFive(String(full + half / 2), String(total), undefined);
}

function toFive(
  rating: string | undefined,
  best: string | undefined,
  worst: string | undefined,
): string | undefined {
  const value = toMillionths(rating);
  const top = toMillionths(best);
  const bottom = toMillionths(worst);
  if (value === undefined || top === undefined || top === 0n) return undefined;
  // Where one is the best and six the worst, as at German schools, the best is five and the worst is one.
  if (bottom !== undefined && bottom > top) {
    if (value < top || value > bottom) return undefined;
    return inHundredths(500n * (bottom - top) - 400n * (value - top), bottom - top);
  }
  if (value > top) return undefined;
  // A site without ratings often says 0, whatever its worst is.
  if (bottom !== undefined && value < bottom && value !== 0n) return undefined;
  return inHundredths(500n * value, top);
}

function inHundredths(dividend: bigint, divisor: bigint): string {
  const hundredths = (2n * dividend + divisor) / (2n * divisor);
  const digits = hundredths.toString().padStart(3, '0');
  const fraction = digits.slice(-2).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${fraction}`;
}

function toMillionths(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const [whole = '0', fraction = ''] = text.replace(',', '.').split('.');
  return BigInt(whole) * SCALE + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

export { readCount } from './read-count.ts';
