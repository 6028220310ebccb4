/** A schema as nested lists of fields that can be opened. */
import type { JsonSchema, OpenApiDocument } from '../openapi/types.ts';
import { html, type Markup, prose } from './html.ts';
import { resolve } from './sample.ts';

/** A named shape inside itself is told by its name alone. */
export function showSchema(
  document: OpenApiDocument,
  schema: JsonSchema,
  above: readonly string[] = [],
): Markup {
  const { shape, name } = unwrap(document, schema);
  if (name !== undefined && above.includes(name)) return html`<p class="note">${name}, as above</p>`;
  const inside = name === undefined ? above : [...above, name];
  if (shape.items !== undefined) return showSchema(document, shape.items, inside);
  const choices = choicesOf(shape);
  if (choices.length > 1) {
    return html`<ul class="fields">${choices.map(
      (choice, index) =>
        html`<li><span class="note">${index === 0 ? 'either' : 'or'}</span> ${typeOf(document, choice)}
        ${hasFields(document, choice) ? openable(document, choice, inside) : undefined}</li>`,
    )}</ul>`;
  }
  const fields = Object.entries(shape.properties ?? {});
  if (fields.length === 0) return html`<p class="note">${typeOf(document, shape)}</p>`;
  return html`<ul class="fields">${fields.map(([field, inner]) =>
    showField(document, field, inner, shape.required?.includes(field) ?? false, inside),
  )}</ul>`;
}

function showField(
  document: OpenApiDocument,
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  above: readonly string[],
): Markup {
  const line = html`<span class="name">${name}</span> <span class="type">${typeOf(document, schema)}</span>${
    isRequired ? undefined : html` <span class="optional">optional</span>`
  }${boundsOf(schema)}${schema.description === undefined ? undefined : html`<span class="says">${prose(schema.description)}</span>`}`;
  return html`<li>${line}${hasFields(document, schema) ? openable(document, schema, above) : undefined}</li>`;
}

function openable(document: OpenApiDocument, schema: JsonSchema, above: readonly string[]): Markup {
  return html`<details class="inner"><summary>fields</summary>${showSchema(document, schema, above)}</details>`;
}

/** Past what may be null, and past the name. */
function unwrap(
  document: OpenApiDocument,
  schema: JsonSchema,
): { readonly shape: JsonSchema; readonly name: string | undefined } {
  const choices = choicesOf(schema);
  if (choices.length === 1 && choices[0] !== undefined) return unwrap(document, choices[0]);
  if (schema.$ref === undefined) return { shape: schema, name: undefined };
  return { shape: resolve(document, schema), name: schema.$ref.split('/').at(-1) };
}

function choicesOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  return [...(anyOf ?? oneOf ?? [])].filter((choice) => choice.type !== 'null');
}

function hasFields(document: OpenApiDocument, schema: JsonSchema): boolean {
  const { shape } = unwrap(document, schema);
  if (shape.items !== undefined) return hasFields(document, shape.items);
  const choices = choicesOf(shape);
  if (choices.length > 1) return choices.some((choice) => hasFields(document, choice));
  return Object.keys(shape.properties ?? {}).length > 0;
}

export function typeOf(document: OpenApiDocument, schema: JsonSchema): string {
  const all = schema.anyOf ?? schema.oneOf;
  if (all !== undefined) return [...new Set(all.map((one) => typeOf(document, one)))].join(' or ');
  if (schema.$ref !== undefined) {
    const shape = resolve(document, schema);
    return shape.enum === undefined ? (schema.$ref.split('/').at(-1) ?? '') : typeOf(document, shape);
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items !== undefined) return `list of ${typeOf(document, schema.items)}`;
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.join(' or ');
  return schema.format === undefined ? (type ?? 'anything') : `${type}, ${schema.format}`;
}

const BOUNDS: readonly (readonly [string, string])[] = [
  ['minimum', '≥'],
  ['maximum', '≤'],
  ['minLength', 'at least characters'],
  ['maxLength', 'at most characters'],
  ['minItems', 'at least'],
  ['maxItems', 'at most'],
];

export function boundsOf(schema: JsonSchema): Markup | undefined {
  const bounds = BOUNDS.filter(([key]) => schema[key] !== undefined).map(([key, sign]) => {
    const [words, unit = ''] = sign.split(/ (?=characters$)/);
    return `${words} ${String(schema[key])}${unit === '' ? '' : ` ${unit}`}`;
  });
  if (schema.default !== undefined) bounds.push(`unless given: ${JSON.stringify(schema.default)}`);
  return bounds.length === 0 ? undefined : html` <span class="bounds">${bounds.join(', ')}</span>`;
}
