/** The part of OpenAPI 3.1 that the document uses. */
export interface JsonSchema {
  readonly [key: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Content {
  readonly [mediaType: string]: {
    readonly schema: JsonSchema;
    readonly examples?: Readonly<Record<string, Reference>>;
  };
}

export interface Reference {
  readonly $ref: string;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
  /** The codes of the problems that are answered with this status. */
  readonly 'x-codes'?: readonly string[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** What an account or key must be allowed to do, and who is. */
  readonly 'x-scope': string;
  readonly 'x-roles': readonly string[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}
