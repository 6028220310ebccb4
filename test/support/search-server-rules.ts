/**
 * What a real search server refuses, for its double to refuse too: names it does not know, fields that the mapping has
 * not, values that do not fit. test/search/server-laws.test.ts holds the double and a real server against each other.
 */
type Json = Record<string, unknown>;
export type Refusal = readonly [status: number, type: string, reason: string];
export type Mapping = Readonly<Record<string, string>>;

const TYPES = ['text', 'keyword', 'integer', 'long', 'double', 'date', 'boolean'];
const SEARCH_KEYS = [
  ...['size', 'from', 'query', 'sort', 'search_after', 'track_total_hits', 'track_scores', '_source'],
  ...['highlight', 'aggs'],
];
const HIGHLIGHT_KEYS = ['require_field_match', 'pre_tags', 'post_tags', 'fields'];
const FIELD_KEYS = ['number_of_fragments', 'fragment_size'];
const QUERY_KEYS: Readonly<Record<string, readonly string[]>> = {
  match_none: [],
  match_phrase: ['query'],
  match: ['query', 'operator', 'fuzziness'],
  term: ['value'],
  prefix: ['value'],
  range: ['gte', 'lte'],
  terms: [],
  constant_score: ['filter', 'boost'],
  bool: ['must', 'should', 'must_not', 'filter', 'minimum_should_match'],
};
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  _search: ['preference'],
  _bulk: ['require_alias'],
};
const BULK_KEYS = ['_index', '_id', 'version', 'version_type'];
const MOST_HITS = 10_000;
const MOST_INTEGER = 2_147_483_647;

const unknownIn = (given: Json, known: readonly string[]): string | undefined =>
  Object.keys(given).find((key) => !known.includes(key));

export function refuseParameters(path: string, given: URLSearchParams): Refusal | undefined {
  const unknown = [...given.keys()].find((name) => PARAMETERS[path]?.includes(name) !== true);
  return unknown === undefined
    ? undefined
    : [400, 'illegal_argument_exception', `contains unrecognized parameter: [${unknown}]`];
}

/** Fields with their parts, by their types; or why such an index cannot be. */
export function readMapping(name: string, body: Json): Mapping | Refusal {
  if (name !== name.toLowerCase()) return [400, 'invalid_index_name_exception', 'must be lowercase'];
  const unknown = unknownIn(body, ['settings', 'mappings', 'aliases']);
  if (unknown !== undefined) return [400, 'parse_exception', `unknown key [${unknown}] for create index`];
  const properties = ((body.mappings as Json | undefined)?.properties ?? {}) as Record<string, Json>;
  const mapping: Record<string, string> = {};
  for (const [field, { type, fields = {} }] of Object.entries(properties)) {
    mapping[field] = String(type);
    for (const [part, { type: partType }] of Object.entries(fields as Record<string, Json>)) {
      mapping[`${field}.${part}`] = String(partType);
    }
  }
  const bad = Object.entries(mapping).find(([, type]) => !TYPES.includes(type));
  return bad === undefined
    ? mapping
    : [400, 'mapper_parsing_exception', `No handler for type [${bad[1]}] declared on field [${bad[0]}]`];
}

export function isRefusal(value: Mapping | Refusal): value is Refusal {
  return Array.isArray(value);
}

export function refuseBulkLine(place: Json): Refusal | undefined {
  const unknown = unknownIn(place, BULK_KEYS);
  return unknown === undefined
    ? undefined
    : [400, 'illegal_argument_exception', `contains an unknown parameter [${unknown}]`];
}

/** A value that does not fit its field. Fields without a mapping are left out of the index, not refused. */
export function refuseDocument(mapping: Mapping, source: Json): Refusal | undefined {
  const misfit = Object.entries(source).find(([field, value]) => {
    const type = mapping[field];
    if (type === undefined || value === null) return false;
    return [value].flat().some((one) => !fits(type, one));
  });
  if (misfit === undefined) return undefined;
  const [field] = misfit;
  return [400, 'mapper_parsing_exception', `failed to parse field [${field}] of type [${mapping[field]}]`];
}

function fits(type: string, value: unknown): boolean {
  if (typeof value === 'object') return false;
  if (type === 'text' || type === 'keyword') return true;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'date') return !Number.isNaN(Date.parse(String(value)));
  const number = Number(value);
  if (!Number.isFinite(number)) return false;
  return type !== 'integer' || Math.abs(number) <= MOST_INTEGER;
}

export function refuseSearch(mapping: Mapping, body: Json): Refusal | undefined {
  const unknown = unknownIn(body, SEARCH_KEYS);
  if (unknown !== undefined) return [400, 'parsing_exception', `Unknown key in [${unknown}].`];
  return (
    refuseQuery(body.query as Json | undefined) ??
    refuseWindow(body) ??
    refuseSort(mapping, body) ??
    refuseHighlight((body.highlight ?? { fields: {} }) as Json) ??
    refuseFacets(mapping, (body.aggs ?? {}) as Record<string, { terms: Json }>)
  );
}

function refuseWindow({ size = 10, from = 0, track_total_hits: total = 1 }: Json): Refusal | undefined {
  if (Number(size) + Number(from) > MOST_HITS)
    return [400, 'search_phase_execution_exception', 'Result window is too large'];
  if (typeof total !== 'boolean' && !Number.isInteger(total))
    return [400, 'number_format_exception', String(total)];
  return undefined;
}

function refuseSort(mapping: Mapping, { sort = [], search_after: after }: Json): Refusal | undefined {
  const fields = (sort as Json[]).flatMap((one) => Object.keys(one));
  for (const field of fields) {
    if (field === '_score') continue;
    if (mapping[field] === undefined)
      return [400, 'search_phase_execution_exception', `No mapping found for [${field}] in order to sort on`];
    if (mapping[field] === 'text')
      return [400, 'search_phase_execution_exception', 'Text fields are not optimised for sorting'];
  }
  if (after === undefined) return undefined;
  const values = after as unknown[];
  if (fields.length === 0 || values.length !== fields.length)
    return [400, 'search_phase_execution_exception', `search_after has ${values.length} value(s)`];
  return values.every((value) => Number.isFinite(Number(value)))
    ? undefined
    : [400, 'search_phase_execution_exception', 'Failed to parse search_after value'];
}

function refuseHighlight(highlight: Json): Refusal | undefined {
  const unknown =
    unknownIn(highlight, HIGHLIGHT_KEYS) ??
    Object.values(highlight.fields as Record<string, Json>)
      .map((field) => unknownIn(field, FIELD_KEYS))
      .find((one) => one !== undefined);
  return unknown === undefined
    ? undefined
    : [400, 'x_content_parse_exception', `[highlight] unknown field [${unknown}]`];
}

function refuseFacets(
  mapping: Mapping,
  facets: Readonly<Record<string, { readonly terms: Json }>>,
): Refusal | undefined {
  for (const { terms } of Object.values(facets)) {
    const unknown = unknownIn(terms, ['field', 'size']);
    if (unknown !== undefined)
      return [400, 'x_content_parse_exception', `[terms] unknown field [${unknown}]`];
    if (mapping[String(terms.field)] === 'text')
      return [400, 'search_phase_execution_exception', 'Text fields are not optimised for aggregations'];
  }
  return undefined;
}

function refuseQuery(query: Json | undefined): Refusal | undefined {
  if (query === undefined) return undefined;
  const entries = Object.entries(query);
  const [kind, value] = entries[0] ?? [];
  const known = QUERY_KEYS[kind ?? ''];
  if (kind === undefined || entries.length !== 1 || known === undefined)
    return [400, 'parsing_exception', `unknown query [${kind}]`];
  const isCompound = kind === 'bool' || kind === 'constant_score';
  if (kind === 'terms')
    return Object.values(value as Json).every(Array.isArray)
      ? undefined
      : [400, 'parsing_exception', '[terms] query does not support that'];
  const options = isCompound ? [value as Json] : Object.values(value as Record<string, Json>);
  const unknown = options.map((one) => unknownIn(one, known)).find((one) => one !== undefined);
  if (unknown !== undefined) return [400, 'parsing_exception', `[${kind}] does not support [${unknown}]`];
  if (!isCompound) return undefined;
  const inner = Object.values(value as Json).flatMap((one) => (typeof one === 'object' ? one : []));
  return inner.map((one) => refuseQuery(one as Json)).find((one) => one !== undefined);
}
