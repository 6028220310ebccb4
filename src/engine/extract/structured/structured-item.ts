/** What a page says about things in a vocabulary, in whichever syntax it says it: JSON-LD, microdata and RDFa alike. */

export interface StructuredItem {
  /** Without the vocabulary's address: `Product`, `Offer`. */
  readonly types: readonly string[];
  /** @id, itemid or resource, as written. */
  readonly id: string | undefined;
  /** By the name of the property, without the vocabulary's address; values in the order of the page. */
  readonly properties: ReadonlyMap<string, readonly StructuredValue[]>;
}

export type StructuredValue = string | StructuredItem;

export interface StructuredData {
  readonly source: 'json-ld' | 'microdata' | 'rdfa';
  /** Those that stand by themselves; the others are values of these. */
  readonly items: readonly StructuredItem[];
}
