/** What a job must bring to be a success. */
import { exactPrice } from '../../engine/products/exact-price.ts';
import type { HeldJob } from './held-job.ts';
import { InvalidField } from './invalid-field.ts';
import type { Submission } from './submission.ts';

export function checkWanted(wanted: HeldJob['wanted'], submission: Submission): void {
  const { price, currency, raw_html: html, parsed_data: data } = submission;
  if (price !== null && price !== undefined && exactPrice(price) === undefined) {
    throw new InvalidField('price', 'must be a number such as 99.99');
  }
  switch (wanted) {
    case 'price':
      if (isMissing(price)) throw new InvalidField('price', 'is needed: this job wants a price');
      if (isMissing(currency)) throw new InvalidField('currency', 'is needed with the price');
      return;
    case 'page':
      if (isMissing(html) || html.trim() === '') {
        throw new InvalidField('raw_html', 'is needed: this job wants the page');
      }
      return;
    case 'data':
      if (isMissing(data) || Object.keys(data).length === 0) {
        throw new InvalidField('parsed_data', 'is needed: this job wants data');
      }
      return;
    case 'any':
  }
}

function isMissing<T>(value: T | null | undefined): value is null | undefined {
  return value === null || value === undefined;
}
