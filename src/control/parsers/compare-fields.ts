/** Two parsers on the same pages, field by field. */
import type { Extraction, FieldName, FoundField } from '../../engine/extract/product-fields.ts';

export const FIELD_NAMES: readonly FieldName[] = [
  ...(['name', 'description', 'price', 'priceHigh', 'listPrice', 'currency', 'availability'] as const),
  ...(['rating', 'reviewCount', 'brand', 'category', 'sku', 'gtin', 'mpn', 'images', 'variants'] as const),
];

export interface FieldAgreement {
  readonly field: FieldName;
  same: number;
  onlyOld: number;
  onlyNew: number;
  different: number;
}

export interface Difference {
  readonly url: string;
  readonly field: FieldName;
  /** Null: it was not found. */
  readonly old: unknown;
  readonly new: unknown;
}

/** A few of each field say more than many of one. */
const MOST_EXAMPLES = 3;

export class FieldComparison {
  readonly #fields = new Map<FieldName, FieldAgreement>(
    FIELD_NAMES.map((field) => [field, { field, same: 0, onlyOld: 0, onlyNew: 0, different: 0 }]),
  );
  readonly #examples: Difference[] = [];

  add(url: string, before: Extraction, after: Extraction): void {
    for (const agreement of this.#fields.values()) {
      const { field } = agreement;
      const found: (FoundField<unknown> | undefined)[] = [before.fields[field], after.fields[field]];
      const [older, newer] = found;
      if (older === undefined && newer === undefined) continue;
      const kind = compare(older, newer);
      agreement[kind] += 1;
      if (kind !== 'same') this.#keep({ url, field, old: older?.value ?? null, new: newer?.value ?? null });
    }
  }

  /** Those that either of them has found. */
  get fields(): readonly FieldAgreement[] {
    return [...this.#fields.values()].filter(
      ({ same, onlyOld, onlyNew, different }) => same + onlyOld + onlyNew + different > 0,
    );
  }

  get examples(): readonly Difference[] {
    return this.#examples;
  }

  #keep(difference: Difference): void {
    const known = this.#examples.filter(({ field }) => field === difference.field).length;
    if (known < MOST_EXAMPLES) this.#examples.push(difference);
  }
}

function compare(
  older: FoundField<unknown> | undefined,
  newer: FoundField<unknown> | undefined,
): 'same' | 'onlyOld' | 'onlyNew' | 'different' {
  if (newer === undefined) return 'onlyOld';
  if (older === undefined) return 'onlyNew';
  return JSON.stringify(older.value) === JSON.stringify(newer.value) ? 'same' : 'different';
}
