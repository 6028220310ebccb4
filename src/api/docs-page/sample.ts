/** A value that a schema would let through, for the examples. */
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Reference } from '../openapi/types.ts';

const DEEPEST = 6;
const MOMENT = '2025-01-31T12:00:00.000Z';

export function sampleOf(document: OpenApiDocument, schema: JsonSchema, depth = 0): unknown {
  const given = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.$ref !== undefined) {
    return depth > DEEPEST ? {} : sampleOf(document, resolve(document, schema), depth + 1);
  }
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice !== undefined) return sampleOf(document, choice, depth);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([name, inner]) => [name, sampleOf(document, inner, depth + 1)]));
  }
  if (type === 'array') return depth > DEEPEST ? [] : [sampleOf(document, schema.items ?? {}, depth + 1)];
  return samplePlain(type, schema);
}

function samplePlain(type: string | undefined, schema: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return typeof schema.minimum === 'number' ? schema.minimum : 0;
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (schema.format === 'date-time') return MOMENT;
  if (schema.format === 'uri') return 'https://example.com/';
  return type === 'string' ? 'text' : {};
}

export function resolve(document: OpenApiDocument, { $ref }: JsonSchema): JsonSchema {
  return document.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? {};
}

/** What to type into a terminal, to be completed by hand where there are braces. */
export function sampleCurl(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): string {
  const parts = ['curl'];
  if (method !== 'get') parts.push(`-X ${method.toUpperCase()}`);
  if (operation.security.some((scheme) => 'key' in scheme))
    parts.push('-H "Authorization: Bearer $FORAGER_KEY"');
  else if (operation.security.length > 0) parts.push('-b cookies.txt');
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body !== undefined) {
    const data = JSON.stringify(sampleOf(document, body)).replaceAll("'", "'\\''");
    parts.push("-H 'Content-Type: application/json'", `-d '${data}'`);
  }
  const needed = (operation.parameters ?? [])
    .filter((one): one is Parameter => !isReference(one) && one.in === 'query' && one.required)
    .map(({ name }) => `${name}={${name}}`);
  parts.push(`'http://127.0.0.1:3001${path}${needed.length === 0 ? '' : `?${needed.join('&')}`}'`);
  return parts.join(' \\\n  ').replace(/^curl \\\n {2}'/, "curl '");
}

export function isReference(value: object): value is Reference {
  return '$ref' in value;
}
