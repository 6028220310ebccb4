/** The indexes of a search server: the mapping of products is that of the seed, with what filters and sorts need. */
export type IndexKind = 'product' | 'page';
export const INDEX_KINDS: readonly IndexKind[] = ['product', 'page'];

const ALIASES: Readonly<Record<IndexKind, string>> = { product: 'products', page: 'pages' };

export function aliasOf(prefix: string, kind: IndexKind): string {
  return `${prefix}${ALIASES[kind]}`;
}

/** What an index that is being built is written to by: it goes with the index, and is never made by mistake. */
export function buildingAliasOf(index: string): string {
  return `${index}-building`;
}

/**
 * Words as people search for them: without case and accents, and in English without endings. Languages written without
 * spaces are taken apart into characters by the tokenizer itself.
 */
const settings = {
  analysis: {
    filter: { forager_stems: { type: 'stemmer', language: 'english' } },
    analyzer: {
      forager_words: {
        type: 'custom',
        tokenizer: 'standard',
        filter: ['lowercase', 'asciifolding', 'forager_stems'],
      },
    },
    normalizer: { forager_case: { type: 'custom', filter: ['lowercase'] } },
  },
  // A document that was deleted must not come back by a copy of it that was read before.
  index: { gc_deletes: '1h' },
};

const words = { type: 'text', analyzer: 'forager_words' };
const standardWith = (copyTo: readonly string[]) => ({
  ...{ type: 'text', analyzer: 'standard', copy_to: copyTo, fields: { words } },
});
const keywordWith = (copyTo: readonly string[]) => ({
  ...{ type: 'keyword', ignore_above: 1000, copy_to: copyTo },
  fields: { lower: { type: 'keyword', normalizer: 'forager_case', ignore_above: 1000 } },
});
const named = ['named', 'everything'];

const products = {
  // an integer in the seed: that would end at two thousand million
  product_id: { type: 'long' },
  product_name: standardWith(named),
  description: standardWith(['everything']),
  brand: keywordWith(named),
  category: keywordWith(named),
  domain_name: { type: 'keyword' },
  created_at: { type: 'date' },
  // not in the seed
  codes: { type: 'keyword', ignore_above: 1000, copy_to: named },
  domain_id: { type: 'long' },
  price: { type: 'double' },
  currency: { type: 'keyword' },
  availability: { type: 'keyword' },
  rating: { type: 'double' },
  is_missing: { type: 'boolean' },
  // microseconds: dates there know milliseconds only
  updated_us: { type: 'long' },
  named: words,
  everything: words,
};

const pages = {
  page_id: { type: 'long' },
  domain_id: { type: 'long' },
  title: standardWith(named),
  text: standardWith(['everything']),
  crawled_us: { type: 'long' },
  named: words,
  everything: words,
};

export function indexBody(kind: IndexKind, index: string): object {
  const properties = kind === 'product' ? products : pages;
  return { settings, mappings: { dynamic: false, properties }, aliases: { [buildingAliasOf(index)]: {} } };
}
