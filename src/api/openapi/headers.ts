/** Which headers an answer can carry. Those of a problem may be missing: some are refused before anything is counted. */
import type { AnswerHeader } from '../../contract/answer-headers.ts';
import type { Endpoint } from '../../contract/endpoint.ts';

const RATE_HEADERS: readonly AnswerHeader[] = [
  ...(['RateLimit-Policy', 'RateLimit'] as const),
  ...(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const),
];

export function headersOfAnswer(endpoint: Endpoint, status: number): readonly AnswerHeader[] {
  return list([
    ...common(endpoint),
    ...(status === 201 || status === 202 ? (['Location'] as const) : []),
    ...(endpoint.headers ?? []),
    ...(endpoint.isIdempotent === true ? (['Idempotency-Replayed'] as const) : []),
  ]);
}

/** 409 as well: whoever finds the same request under way is told when to come again. What is kept of a 4xx is given again. */
export function headersOfProblem(endpoint: Endpoint, status: number): readonly AnswerHeader[] {
  const isIdempotent = endpoint.isIdempotent === true;
  const isForLater = status === 429 || status === 503 || (status === 409 && isIdempotent);
  return list([
    ...common(endpoint),
    ...(isForLater ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(isIdempotent && status < 500 ? (['Idempotency-Replayed'] as const) : []),
  ]);
}

function common({ tier }: Endpoint): AnswerHeader[] {
  return ['X-Request-Id', ...(tier === 'probe' ? [] : RATE_HEADERS)];
}

function list(names: readonly AnswerHeader[]): readonly AnswerHeader[] {
  return [...new Set(names)];
}
