/** From the schemas of the contract to JSON Schema: named ones once, under components, and referred to. */
import { z } from 'zod';
import { flagInText } from '../../contract/values.ts';
import type { JsonSchema } from './types.ts';

/** What may be sent is another thing than what is answered: defaults may be left out, text becomes numbers. */
type Side = 'input' | 'output';

export class Schemas {
  readonly #named = new Map<string, { readonly text: string; readonly schema: JsonSchema }>();

  /** The named ones that were met so far, by name. */
  get named(): Record<string, JsonSchema> {
    const entries = [...this.#named].map(([name, { schema }]) => [name, schema] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(schema: z.ZodType, side: Side): JsonSchema {
    // As a part of something else, so that it is referred to if it has a name itself.
    const whole = z.toJSONSchema(z.array(schema), {
      ...{ io: side, target: 'draft-2020-12', unrepresentable: 'any' },
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema, side),
    }) as JsonSchema & { readonly $defs?: Readonly<Record<string, JsonSchema>> };
    const definitions = whole.$defs ?? {};
    const names = new Map(
      Object.entries(definitions).map(([name, definition]) => [name, this.#nameFor(name, definition, side)]),
    );
    for (const [name, definition] of Object.entries(definitions)) {
      const given = names.get(name) ?? name;
      const schema = refer(definition, names) as JsonSchema;
      this.#named.set(given, { text: JSON.stringify(definition), schema });
    }
    return refer(whole.items ?? {}, names) as JsonSchema;
  }

  /** One that looks different when it is sent has a name of its own there. */
  #nameFor(name: string, definition: JsonSchema, side: Side): string {
    const known = this.#named.get(name);
    if (known === undefined || known.text === JSON.stringify(definition)) return name;
    return `${name}${side === 'input' ? 'Input' : 'Output'}`;
  }
}

interface Draft {
  [key: string]: unknown;
}

function tidy(zodSchema: z.core.$ZodType, draft: Draft, side: Side): void {
  if (zodSchema === flagInText && side === 'input') {
    delete draft.enum;
    draft.type = 'boolean';
  }
  // The default of what is text on its way is the default of what is meant.
  const { def } = zodSchema._zod as {
    readonly def: { readonly type: string; readonly defaultValue?: unknown };
  };
  if (def.type === 'default' && typeof def.defaultValue !== 'object') draft.default ??= def.defaultValue;
  // The format says it, and better.
  if (draft.format !== undefined) delete draft.pattern;
  if (draft.minimum === Number.MIN_SAFE_INTEGER) delete draft.minimum;
  if (draft.maximum === Number.MAX_SAFE_INTEGER) delete draft.maximum;
  // Names of properties are text anyway.
  delete draft.propertyNames;
  // Answers may have more in them one day; requests may not have more in them than is known.
  if (side === 'output' && draft.additionalProperties === false) delete draft.additionalProperties;
  delete draft.id;
  delete draft.$id;
}

function refer(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => refer(part, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => key !== '$schema' && key !== '$defs')
    .map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, refer(inner, names)] as const;
      const name = inner.replace('#/$defs/', '');
      return [key, `#/components/schemas/${names.get(name) ?? name}`] as const;
    });
  return Object.fromEntries(entries);
}
