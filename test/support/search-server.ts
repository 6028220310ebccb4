/**
 * A DOUBLE of Elasticsearch and OpenSearch, for where none can be had: it keeps documents in memory and understands
 * exactly the requests that Forager sends, no others; what a real one refuses it refuses too. That a real server understands them too is shown by running the
 * same suite with FORAGER_TEST_SEARCH_URL. It can be told to be away, slow, busy, or picky.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  isRefusal,
  type Mapping,
  type Refusal,
  readMapping,
  refuseBulkLine,
  refuseDocument,
  refuseParameters,
  refuseSearch,
} from './search-server-rules.ts';

interface Stored {
  readonly version: number;
  /** Undefined: deleted; the version stays. */
  readonly source: Source | undefined;
}
type Source = Readonly<Record<string, unknown>>;
type Index = Map<string, Stored> & { mapping?: Mapping };
type Json = Record<string, unknown>;

export interface Mischief {
  isAway: boolean;
  /** HTTP status of the next bulks, one each. */
  readonly bulkStatuses: number[];
  /** Status and type of single documents, for as long as it stands. */
  readonly itemErrors: Map<string, { readonly status: number; readonly type: string }>;
  /** Called before a bulk is worked on. */
  beforeBulk: (() => Promise<void>) | undefined;
  mostBulkBytes: number;
}

export interface SearchServerDouble {
  readonly url: string;
  readonly mischief: Mischief;
  readonly requests: readonly string[];
  readonly authorizations: ReadonlySet<string>;
  indexNames(): string[];
  documents(alias: string): Map<string, Source>;
  version(alias: string, id: number): number | undefined;
  dropIndex(name: string): void;
  close(): Promise<void>;
}

const refusal = ([status, type, reason]: Refusal): [number, unknown] => [
  status,
  { error: { type, reason }, status },
];

export async function startSearchServerDouble(
  distribution: 'elasticsearch' | 'opensearch',
): Promise<SearchServerDouble> {
  const indexes = new Map<string, Index>();
  const aliases = new Map<string, Set<string>>();
  const requests: string[] = [];
  const authorizations = new Set<string>();
  const mischief: Mischief = {
    ...{ isAway: false, bulkStatuses: [], itemErrors: new Map(), beforeBulk: undefined },
    mostBulkBytes: 10_000_000,
  };

  const resolve = (name: string): Index | undefined => {
    const [behind] = aliases.get(name) ?? [];
    return indexes.get(behind ?? name);
  };

  async function answer(request: IncomingMessage, text: string): Promise<[number, unknown]> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double');
    const [first = '', second] = pathname.slice(1).split('/');
    const badParameter = refuseParameters(second ?? first, searchParams);
    if (badParameter !== undefined) return refusal(badParameter);
    const key = `${request.method} ${second ?? (first.startsWith('_') ? first : first === '' ? '' : 'index')}`;
    switch (key) {
      case 'GET ':
        return [
          200,
          { version: { number: '0.0.0-double', ...(distribution === 'opensearch' ? { distribution } : {}) } },
        ];
      case 'HEAD index':
        return [resolve(first) === undefined ? 404 : 200, undefined];
      case 'PUT index':
        return makeIndex(first, JSON.parse(text === '' ? '{}' : text) as Json);
      case 'DELETE index':
        if (!indexes.has(first)) return refusal([404, 'index_not_found_exception', 'no such index']);
        dropIndex(first);
        return [200, { acknowledged: true }];
      case 'POST _refresh':
        return [resolve(first) === undefined ? 404 : 200, {}];
      case 'POST _aliases':
        return moveAliases(
          JSON.parse(text) as { actions: Record<string, { index: string; alias?: string }>[] },
        );
      case 'POST _bulk':
        return bulk(text, searchParams.get('require_alias') === 'true');
      case 'POST _search': {
        const index = resolve(first);
        if (index === undefined) return refusal([404, 'index_not_found_exception', 'no such index']);
        const body = JSON.parse(text === '' ? '{}' : text) as Json;
        const refused = refuseSearch(index.mapping ?? {}, body);
        return refused === undefined ? [200, search(index, body)] : refusal(refused);
      }
      default:
        if (request.method === 'GET' && first === '_alias') {
          const behind = aliases.get(second ?? '');
          if (behind === undefined || behind.size === 0)
            return [404, { error: 'alias missing', status: 404 }];
          return [
            200,
            Object.fromEntries([...behind].map((name) => [name, { aliases: { [second ?? '']: {} } }])),
          ];
        }
        return [400, { error: { type: 'not_understood', reason: `the double does not know ${key}` } }];
    }
  }

  function moveAliases({
    actions,
  }: {
    actions: Record<string, { index: string; alias?: string }>[];
  }): [number, unknown] {
    // All of them, or none.
    for (const [kind, { index, alias = '' }] of actions.flatMap((action) => Object.entries(action))) {
      if (!['add', 'remove', 'remove_index'].includes(kind))
        return refusal([400, 'x_content_parse_exception', `[alias_action] unknown field [${kind}]`]);
      if (!indexes.has(index)) return refusal([404, 'index_not_found_exception', `no such index [${index}]`]);
      if (kind === 'add' && indexes.has(alias))
        return refusal([400, 'invalid_alias_name_exception', 'an index exists with the same name']);
    }
    for (const { add, remove, remove_index: removed } of actions) {
      if (add?.alias !== undefined) addAlias(add.alias, add.index);
      if (remove?.alias !== undefined) aliases.get(remove.alias)?.delete(remove.index);
      if (removed !== undefined) dropIndex(removed.index);
    }
    return [200, { acknowledged: true }];
  }

  function addAlias(alias: string, index: string): void {
    aliases.set(alias, (aliases.get(alias) ?? new Set()).add(index));
  }

  function makeIndex(name: string, body: Json): [number, unknown] {
    if (indexes.has(name)) return refusal([400, 'resource_already_exists_exception', 'already exists']);
    const mapping = readMapping(name, body);
    if (isRefusal(mapping)) return refusal(mapping);
    indexes.set(name, Object.assign(new Map<string, Stored>(), { mapping }));
    for (const alias of Object.keys((body.aliases ?? {}) as Json)) addAlias(alias, name);
    return [200, { acknowledged: true }];
  }

  function dropIndex(name: string): void {
    indexes.delete(name);
    for (const behind of aliases.values()) behind.delete(name);
  }

  async function bulk(text: string, requireAlias: boolean): Promise<[number, unknown]> {
    await mischief.beforeBulk?.();
    if (text.length > mischief.mostBulkBytes) return [413, { error: 'too large' }];
    const status = mischief.bulkStatuses.shift();
    if (status !== undefined) return [status, { error: { type: 'told_to', reason: `status ${status}` } }];
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    const items: Json[] = [];
    const isPlace = (line: Json): boolean => 'version_type' in ((line.index ?? line.delete ?? {}) as Json);
    const places = lines.filter(isPlace).map((line) => (line.index ?? line.delete) as Json);
    // A deletion alone does not care for aliases, and makes an index.
    const guarded = new Set(lines.filter(isPlace).flatMap((line) => (line.index as Json)?._index ?? []));
    const refused = places.map(refuseBulkLine).find((one) => one !== undefined);
    if (refused !== undefined) return refusal(refused);
    while (lines.length > 0) {
      const [[action, place] = ['', undefined]] = Object.entries(lines.shift() ?? {}) as [
        string,
        { _index: string; _id: string; version: number },
      ][];
      if (place === undefined) throw new Error('a bulk without an action');
      const source = action === 'index' ? lines.shift() : undefined;
      items.push({ [action]: write(place, source, requireAlias && guarded.has(place._index)) });
    }
    const hasErrors = items.some((item) =>
      Object.values(item).some((one) => (one as Json).error !== undefined),
    );
    return [200, { errors: hasErrors, items }];
  }

  function write(
    { _index, _id, version }: { _index: string; _id: string; version: number },
    source: Source | undefined,
    requireAlias: boolean,
  ): Json {
    if (requireAlias && (aliases.get(_index)?.size ?? 0) === 0)
      return { status: 404, error: { type: 'index_not_found_exception', reason: 'no such index' } };
    // Whatever is written to and is not there is made, as it comes.
    if (resolve(_index) === undefined) makeIndex(_index, {});
    const index: Index = resolve(_index) ?? new Map();
    const told = mischief.itemErrors.get(_id);
    if (told !== undefined) return { status: told.status, error: { type: told.type, reason: 'told to' } };
    const before = index.get(_id);
    if (before !== undefined && before.version > version) {
      return { status: 409, error: { type: 'version_conflict_engine_exception', reason: 'newer' } };
    }
    const misfit = source === undefined ? undefined : refuseDocument(index.mapping ?? {}, source);
    if (misfit !== undefined) return { status: misfit[0], error: { type: misfit[1], reason: misfit[2] } };
    index.set(_id, { version, source });
    if (source === undefined && before?.source === undefined) return { status: 404, result: 'not_found' };
    if (before?.source === undefined) return { status: 201, result: 'created' };
    return { status: 200, result: source === undefined ? 'deleted' : 'updated' };
  }

  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization !== undefined) authorizations.add(request.headers.authorization);
    if (mischief.isAway) {
      request.socket.destroy();
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    const [status, body] = await answer(request, Buffer.concat(chunks).toString('utf8'));
    const type =
      distribution === 'elasticsearch'
        ? 'application/vnd.elasticsearch+json;compatible-with=8'
        : 'application/json';
    response.writeHead(status, {
      'content-type': type,
      ...(distribution === 'elasticsearch' ? { 'x-elastic-product': 'Elasticsearch' } : {}),
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, mischief, requests, authorizations, dropIndex },
    indexNames: () => [...indexes.keys()],
    documents: (alias) =>
      new Map(
        [...(resolve(alias) ?? [])].flatMap(([id, { source }]) =>
          source === undefined || id === 'guard' ? [] : [[id, source]],
        ),
      ),
    version: (alias, id) => resolve(alias)?.get(String(id))?.version,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

// ── Words ───────────────────────────────────────────────────────────────────────────────────────────

interface Token {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}]/u;

function tokensOf(text: string): Token[] {
  const found = text.matchAll(
    /[\p{Script=Han}\p{Script=Hiragana}]|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}]+)*/gu,
  );
  return [...found].flatMap((match) => {
    const pieces = CJK.test(match[0]) && [...match[0]].length > 1 ? splitCjk(match[0]) : [match[0]];
    let from = match.index;
    return pieces.map((piece) => {
      const token = { word: stem(piece), from, to: from + piece.length };
      from += piece.length;
      return token;
    });
  });
}

function splitCjk(text: string): string[] {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}]|[^\p{Script=Han}\p{Script=Hiragana}]+/gu) ?? [text];
}

/** Not the stemmer of a real server, but both sides of a comparison go through it. */
function stem(word: string): string {
  const plain = word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.length > 3 ? plain.replace(/(?<!s)s$/, '') : plain;
}

const COPIES: Readonly<Record<string, readonly string[]>> = {
  named: ['product_name', 'brand', 'category', 'codes', 'title'],
  everything: ['product_name', 'brand', 'category', 'codes', 'description', 'title', 'text'],
};

function textsOf(source: Source, field: string): string[] {
  return (COPIES[field] ?? [field]).flatMap((name) => source[name] ?? []).map(String);
}

function positions(words: readonly string[], wanted: readonly string[]): number[] {
  return words.flatMap((_, at) => (wanted.every((word, i) => words[at + i] === word) ? [at] : []));
}

// ── Search ──────────────────────────────────────────────────────────────────────────────────────────

/** How well it fits; 0: not at all. */
function score(source: Source, query: Json): number {
  const [[kind, value] = ['', undefined]] = Object.entries(query);
  const [[field, wanted] = ['', undefined]] = Object.entries((value ?? {}) as Record<string, Json>);
  const sum = (list: unknown): number[] => (list as Json[]).map((one) => score(source, one));
  switch (kind) {
    case 'match_none':
      return 0;
    case 'match_phrase': {
      const words = tokensOf(String(wanted?.query)).map(({ word }) => word);
      if (words.length === 0) return 0;
      const counts = textsOf(source, field).map((text) => {
        const all = tokensOf(text).map(({ word }) => word);
        return positions(all, words).length / (1 + Math.log(all.length));
      });
      return counts.reduce((total, count) => total + count, 0);
    }
    case 'match': {
      const words = tokensOf(String(wanted?.query)).map(({ word }) => word);
      const all = textsOf(source, field).flatMap((text) => tokensOf(text).map(({ word }) => word));
      return words.length > 0 && words.every((word) => all.includes(word)) ? 1 : 0;
    }
    case 'term': {
      const isLower = field.endsWith('.lower');
      const own = source[field.replace(/\.lower$/, '')];
      return (isLower ? String(own).toLowerCase() : own) === wanted?.value ? 1 : 0;
    }
    case 'terms':
      return (wanted as unknown as unknown[]).includes(source[field]) ? 1 : 0;
    case 'prefix':
      return String(source[field.replace(/\.lower$/, '')] ?? '')
        .toLowerCase()
        .startsWith(String(wanted?.value))
        ? 1
        : 0;
    case 'range': {
      const own = source[field];
      const { gte = Number.NEGATIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = wanted as {
        gte?: number;
        lte?: number;
      };
      return typeof own === 'number' && own >= gte && own <= lte ? 1 : 0;
    }
    case 'constant_score': {
      const { filter, boost } = value as { filter: Json; boost: number };
      return score(source, filter) > 0 ? boost : 0;
    }
    case 'bool': {
      const {
        must = [],
        should = [],
        must_not: not = [],
        filter = [],
        minimum_should_match: least,
      } = value as Json;
      if (sum(not).some((one) => one > 0) || sum(filter).includes(0) || sum(must).includes(0)) return 0;
      const shoulds = sum(should);
      const wantedShoulds = typeof least === 'number' ? least : 0;
      if (shoulds.filter((one) => one > 0).length < wantedShoulds) return 0;
      const total = [...sum(must), ...shoulds].reduce((a, b) => a + b, 0);
      return Math.fround(total > 0 ? total : 1);
    }
    default:
      throw new Error(`the double does not know ${kind}`);
  }
}

function search(index: Index, body: Json): Json {
  const sorts = (body.sort as Record<string, { order: string; missing?: number }>[]).flatMap((one) =>
    Object.entries(one),
  );
  const found = [...index].flatMap(([id, { source }]) => {
    if (source === undefined) return [];
    const fit = score(source, body.query as Json);
    if (fit === 0) return [];
    const sort = sorts.map(([field, { missing }]) =>
      field === '_score' ? fit : typeof source[field] === 'number' ? source[field] : (missing ?? 0),
    ) as number[];
    return [{ id, source, fit, sort }];
  });
  const compare = (a: readonly number[], b: readonly number[]): number => {
    for (const [i, [, { order }]] of sorts.entries()) {
      const difference = ((a[i] ?? 0) - (b[i] ?? 0)) * (order === 'asc' ? 1 : -1);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const after = body.search_after as number[] | undefined;
  const sorted = found.toSorted((a, b) => compare(a.sort, b.sort));
  const page = sorted
    .filter(({ sort }) => after === undefined || compare(sort, after) > 0)
    .slice(0, body.size as number);
  const { fields } = body.highlight as { fields: Record<string, { number_of_fragments: number }> };
  const marks = body.highlight as { pre_tags: [string]; post_tags: [string] };
  const words = new Set(wordsIn(body.query));
  return {
    hits: {
      ...(body.track_total_hits === false
        ? {}
        : { total: { value: Math.min(found.length, Number(body.track_total_hits)), relation: 'eq' } }),
      hits: page.map(({ id, source, fit, sort }) => ({
        ...{
          _id: id,
          _score: sorts[0]?.[0] === '_score' ? fit : null,
          sort,
          _source: { product_name: source.product_name },
        },
        highlight: Object.fromEntries(
          Object.keys(fields).flatMap((field) => {
            const marked = mark(String(source[field.replace(/\.words$/, '')] ?? ''), words, marks);
            return marked === undefined ? [] : [[field, [marked]]];
          }),
        ),
      })),
    },
    aggregations: Object.fromEntries(
      Object.entries((body.aggs ?? {}) as Record<string, { terms: { field: string; size: number } }>).map(
        ([name, { terms }]) => [
          name,
          {
            buckets: bucketsOf(
              found.map(({ source }) => source[terms.field]),
              terms.size,
            ),
          },
        ],
      ),
    ),
  };
}

function bucketsOf(values: readonly unknown[], size: number): Json[] {
  const counts = new Map<string, number>();
  for (const value of values) if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([key, count]) => ({ key, doc_count: count }))
    .sort((a, b) => b.doc_count - a.doc_count || (a.key < b.key ? -1 : 1))
    .slice(0, size);
}

/** Of everything that is wanted, not of what must not be there. */
function wordsIn(query: unknown): string[] {
  if (Array.isArray(query)) return query.flatMap(wordsIn);
  if (typeof query !== 'object' || query === null) return [];
  return Object.entries(query).flatMap(([key, value]) => {
    if (key === 'must_not' || key === 'filter') return [];
    if (key === 'match_phrase' || key === 'match') {
      return Object.values(value as Record<string, { query: string }>).flatMap((one) =>
        tokensOf(one.query).map(({ word }) => word),
      );
    }
    return wordsIn(value);
  });
}

function mark(
  text: string,
  words: ReadonlySet<string>,
  tags: { pre_tags: [string]; post_tags: [string] },
): string | undefined {
  const hits = tokensOf(text).filter(({ word }) => words.has(word));
  if (hits.length === 0) return undefined;
  let [marked, at] = ['', 0];
  for (const { from, to } of hits) {
    marked += text.slice(at, from) + tags.pre_tags[0] + text.slice(from, to) + tags.post_tags[0];
    at = to;
  }
  return marked + text.slice(at);
}
