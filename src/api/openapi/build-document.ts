/** The OpenAPI document, made of the same contract that requests are validated with. */
import { ANSWER_HEADERS, type AnswerHeader, IDEMPOTENCY_KEY_PATTERN } from '../../contract/answer-headers.ts';
import { type Endpoint, GROUPS } from '../../contract/endpoint.ts';
import { PROBLEMS, type ProblemCode, problem } from '../../contract/problems.ts';
import { readProgramVersion } from '../../platform/program-version.ts';
import { SESSION_COOKIE } from '../session-cookie.ts';
import { describeOperation } from './operation.ts';
import { Schemas } from './schemas.ts';
import type { OpenApiDocument, Operation, Parameter } from './types.ts';

const INTRODUCTION = `Everything Forager does, over HTTP.

Requests and answers are JSON. Whoever asks shows a key (\`Authorization: Bearer fgr_…\`) or has a session.
Lists come in pages: send \`nextCursor\` back as \`cursor\` for the next one. Long work answers at once with a job.
A request that is refused gets a problem (RFC 9457) with a stable \`code\`; fields that are not known are refused.`;

export function buildDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
  const schemas = new Schemas();
  schemas.add(problem, 'output');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, schemas),
    };
  }
  const groups = new Set(endpoints.map(({ group }) => group));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forager',
      version: readProgramVersion(),
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(GROUPS)
      .filter(([name]) => groups.has(name as keyof typeof GROUPS))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.named,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: describeHeaders(),
      examples: examplesOfProblems(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key: `forager key create` makes one' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'The cookie that a login sets',
        },
      },
    },
  };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'New for each request, such as a UUID; visible ASCII characters, no space. Sent again with the same one within 24 hours, the request is done once, and answered the same',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: IDEMPOTENCY_KEY_PATTERN },
};

const NUMBERS: readonly AnswerHeader[] = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];
const EXAMPLES: Partial<Record<AnswerHeader, string>> = {
  'RateLimit-Policy': '"user";q=100;w=60',
  RateLimit: '"user";r=57;t=12',
};

function describeHeaders(): OpenApiDocument['components']['headers'] {
  const names = Object.keys(ANSWER_HEADERS) as AnswerHeader[];
  return Object.fromEntries(
    names.map((name) => {
      const schema = { type: NUMBERS.includes(name) ? 'integer' : 'string' };
      const example = EXAMPLES[name];
      return [
        name,
        { description: ANSWER_HEADERS[name], schema, ...(example === undefined ? {} : { example }) },
      ];
    }),
  );
}

function examplesOfProblems(): OpenApiDocument['components']['examples'] {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return Object.fromEntries(
    codes.map((code) => {
      const { title, status } = PROBLEMS[code];
      const requestId = '1c7d6f0e-52a4-4c1c-9d6b-2f0a9a5e9b11';
      const value = { type: `/api/docs#${code}`, title, status, code, detail: `${title}.`, requestId };
      return [code, { summary: title, value }];
    }),
  );
}
