/** Search by Elasticsearch or OpenSearch. */
import { toSnippet } from '../postgres/snip.ts';
import {
  type FacetName,
  type Facets,
  type Found,
  type FoundProduct,
  MOST_COUNTED,
  type SearchEngine,
} from '../search-engine.ts';
import { aliasOf } from './indexes.ts';
import { keyOf, pageQuery, productQuery } from './queries.ts';
import type { SearchTransport } from './transport.ts';

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: { readonly product_name?: string | null };
  readonly sort: readonly unknown[];
  readonly highlight?: Readonly<Record<string, readonly string[]>>;
}

interface Answer {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly aggregations?: Readonly<
    Record<FacetName, { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] }>
  >;
}

export function elasticEngine(transport: SearchTransport, prefix: string): SearchEngine {
  const ask = async (alias: string, body: object): Promise<Answer> =>
    (await transport.request({ method: 'POST', path: `/${alias}/_search`, body })).body as Answer;
  return {
    kind: transport.kind,
    searchProducts: async (search) => {
      const answer = await ask(aliasOf(prefix, 'product'), productQuery(search));
      const isMoment = search.sort === 'updatedAt';
      const order = search.sort === 'relevance' ? 'desc' : search.order;
      return {
        ...counted(answer, search.limit),
        hits: answer.hits.hits.slice(0, search.limit).map((hit) => ({
          ...{ id: Number(hit._id), score: hit._score ?? 0, snippets: snippetsOf(hit) },
          place: { key: keyOf(hit.sort[0], isMoment, order), id: Number(hit._id) },
        })),
        ...(search.withFacets ? { facets: facetsOf(answer) } : {}),
      };
    },
    searchPages: async (search) => {
      const answer = await ask(aliasOf(prefix, 'page'), pageQuery(search));
      return {
        ...counted(answer, search.limit),
        hits: answer.hits.hits.slice(0, search.limit).map((hit) => ({
          ...{ id: Number(hit._id), score: hit._score ?? 0 },
          snippet: toSnippet(hit.highlight?.['text.words']?.[0] ?? ''),
          place: { key: keyOf(hit.sort[0], search.sort === 'crawledAt', search.order), id: Number(hit._id) },
        })),
      };
    },
  };
}

function counted({ hits }: Answer, limit: number): Pick<Found<unknown>, 'total' | 'isTotalExact' | 'isMore'> {
  const found = hits.total?.value;
  return {
    total: Math.min(found ?? 0, MOST_COUNTED),
    isTotalExact: found !== undefined && found <= MOST_COUNTED,
    isMore: hits.hits.length > limit,
  };
}

function snippetsOf({ highlight, _source }: Hit): FoundProduct['snippets'] {
  const name = highlight?.['product_name.words']?.[0] ?? _source?.product_name ?? '';
  const description = highlight?.['description.words']?.[0];
  return {
    ...(name === '' ? {} : { name: toSnippet(name) }),
    ...(description === undefined ? {} : { description: toSnippet(description) }),
  };
}

function facetsOf({ aggregations }: Answer): Facets {
  const of = (name: FacetName) =>
    (aggregations?.[name].buckets ?? []).map(({ key, doc_count: count }) => ({ value: key, count }));
  return {
    ...{ brand: of('brand'), category: of('category'), domain: of('domain') },
    ...{ availability: of('availability'), currency: of('currency') },
  };
}
