/** One endpoint of the contract as an operation of the document. */
import { ROLES, scopesOfRole } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { headersOfAnswer, headersOfProblem } from './headers.ts';
import { problemCodesOf } from './problem-codes.ts';
import type { Schemas } from './schemas.ts';
import type { Answer, Content, Operation, Parameter, Reference } from './types.ts';

export function describeOperation(endpoint: Endpoint, schemas: Schemas): Operation {
  const parameters = describeParameters(endpoint, schemas);
  return {
    operationId: endpoint.name,
    tags: [endpoint.group],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.isBodyOptional !== true,
            content: { 'application/json': { schema: schemas.add(endpoint.body, 'input') } },
          },
        }),
    responses: { ...describeAnswer(endpoint, schemas), ...describeProblems(endpoint) },
    security: securityOf(endpoint),
    'x-scope': endpoint.allows,
    'x-roles': ROLES.filter((role) => scopesOfRole(role).includes(endpoint.allows)),
  };
}

function describeParameters(endpoint: Endpoint, schemas: Schemas): (Parameter | Reference)[] {
  const read = (place: 'path' | 'query', given: Endpoint['params']): Parameter[] => {
    const { properties = {}, required = [] } = given === undefined ? {} : schemas.add(given, 'input');
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }));
  };
  const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
  return [
    ...read('path', endpoint.params),
    ...read('query', endpoint.query),
    ...(endpoint.isIdempotent === true ? [idempotencyKey] : []),
  ];
}

function describeAnswer(endpoint: Endpoint, schemas: Schemas): Record<string, Answer> {
  const { answer, contentType } = endpoint;
  const status = endpoint.status ?? (answer === undefined && contentType === undefined ? 204 : 200);
  const content = contentOf(endpoint, schemas);
  return {
    [status]: {
      description: DESCRIPTIONS[status],
      headers: refer(headersOfAnswer(endpoint, status)),
      ...(content === undefined ? {} : { content }),
    },
  };
}

const DESCRIPTIONS = {
  200: 'Done',
  201: 'Made; `Location` says where it is',
  202: 'Accepted: a job does it, `Location` says where to watch it',
  204: 'Done, with nothing to add',
  302: 'Elsewhere: `Location` says where',
} as const;

function contentOf({ answer, contentType }: Endpoint, schemas: Schemas): Content | undefined {
  if (answer !== undefined)
    return { [contentType ?? 'application/json']: { schema: schemas.add(answer, 'output') } };
  return contentType === undefined
    ? undefined
    : { [contentType.split(';')[0] ?? contentType]: { schema: { type: 'string' } } };
}

function describeProblems(endpoint: Endpoint): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  const known = problemCodesOf(endpoint);
  for (const status of new Set(known.map((code) => PROBLEMS[code].status))) {
    const codes = known.filter((code) => PROBLEMS[code].status === status);
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
      headers: refer(headersOfProblem(endpoint, status)),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
      'x-codes': codes,
    };
  }
  return answers;
}

function refer(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One's own affairs are no program's; a bot has no session. */
function securityOf({ allows }: Endpoint): Operation['security'] {
  if (allows === 'public') return [];
  if (allows === 'self') return [{ session: [] }];
  return allows === 'work' ? [{ key: [] }] : [{ key: [] }, { session: [] }];
}
