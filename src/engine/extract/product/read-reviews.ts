/** How a product is rated, out of five, and by how many. */
import type { FieldSource } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { readCount, readRating } from '../values/read-rating.ts';
import { type MutableFields, note } from './found-fields.ts';
import { childItems, firstText } from './item-values.ts';

const MAX_REVIEWS = 1000;

export function noteReviews(fields: MutableFields, product: StructuredItem, source: FieldSource): void {
  const aggregate = childItems(product, 'aggregateRating')[0];
  if (aggregate !== undefined) {
    // Each review is a rating, and some ratings have no review: the reviews are what is asked for.
    const counted = firstText(aggregate, 'reviewCount', 'ratingCount') ?? firstText(product, 'reviewCount');
    const count = counted === undefined ? undefined : readCount(counted);
    const value = firstText(aggregate, 'ratingValue');
    const rating = ratingOf(aggregate);
    // Nobody has rated it yet, and a template has written a number all the same.
    if (rating !== undefined && !(count === 0 && Number(rating) === 0))
      note(fields, 'rating', rating, source, value);
    note(fields, 'reviewCount', count, source, counted);
    if (fields.rating !== undefined || count !== undefined) return;
  }
  noteSingleReviews(fields, product, source);
}

/** No sum is given: the mean of those that are on the page. */
function noteSingleReviews(fields: MutableFields, product: StructuredItem, source: FieldSource): void {
  const reviews = [...childItems(product, 'review'), ...childItems(product, 'reviews')].slice(0, MAX_REVIEWS);
  let hundredths = 0;
  let rated = 0;
  for (const review of reviews) {
    const rating = childItems(review, 'reviewRating')[0] ?? childItems(review, 'ratingValue')[0];
    const value = ratingOf(rating ?? review);
    if (value === undefined) continue;
    hundredths += Math.round(Number(value) * 100);
    rated++;
  }
  if (rated === 0) return;
  const mean = String(Math.round(hundredths / rated) / 100);
  note(fields, 'rating', mean, source, `${rated} reviews on the page`, 0.7);
  note(fields, 'reviewCount', reviews.length, source, `${rated} reviews on the page`, 0.5);
}

function ratingOf(item: StructuredItem): string | undefined {
  const value = firstText(item, 'ratingValue');
  if (value === undefined) return undefined;
  const best = firstText(item, 'bestRating');
  const worst = firstText(item, 'worstRating');
  return readRating(value, {
    ...(best === undefined ? {} : { best }),
    ...(worst === undefined ? {} : { worst }),
  });
}
