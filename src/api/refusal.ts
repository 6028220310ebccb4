/** A request that is refused, with all that the answer says. Control throws plain ForagerErrors of the same codes. */
import { isProblemCode, PROBLEMS, type Problem, type ProblemCode } from '../contract/problems.ts';
import { ConnectionLost, DiskFull, errorCode, ForagerError } from '../platform/errors.ts';
import { hintOverHttp } from './http-hints.ts';

export interface RefusalOptions {
  readonly hint?: string;
  readonly errors?: Problem['errors'];
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends ForagerError {
  override readonly code: ProblemCode;
  readonly errors: Problem['errors'];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: RefusalOptions = {}) {
    super(code, detail, options.hint === undefined ? {} : { hint: options.hint });
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  toProblem(requestId: string): Problem {
    return {
      type: `/api/docs#${this.code}`,
      title: PROBLEMS[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.message,
      ...(this.hint === undefined ? {} : { hint: hintOverHttp(this.hint) }),
      requestId,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
    };
  }
}

/** Fastify's own objections, by what they mean. */
const FASTIFY_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
  FST_ERR_MAX_PARAM_LENGTH: 'uri-too-long',
};

/** A query that ran into the time it is given. */
const QUERY_CANCELED = '57014';

/** Whatever was thrown, as the answer to the request. What nobody foresaw tells nothing of the inside. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ConnectionLost) {
    return new Refusal('database-unavailable', 'The server has lost its database for the moment.', {
      hint: 'try again in a few seconds',
      headers: { 'retry-after': '5' },
    });
  }
  if (error instanceof DiskFull) return new Refusal('disk-full', 'Nothing can be stored at the moment.');
  const code = errorCode(error) ?? '';
  if (code === QUERY_CANCELED) {
    return new Refusal('too-slow', 'The database needed too long for this question.', {
      hint: 'ask for less: name a domain, or leave out the text search',
      headers: { 'retry-after': '5' },
    });
  }
  if (code === 'too-many-connections') {
    return new Refusal('overloaded', 'The database has no connection left for this request.', {
      hint: 'try again in a few seconds',
      headers: { 'retry-after': '2' },
    });
  }
  if (error instanceof ForagerError && isProblemCode(code)) {
    return new Refusal(code, error.message, error.hint === undefined ? {} : { hint: error.hint });
  }
  if (isObjection(error)) {
    const known = FASTIFY_CODES[code] ?? 'bad-request';
    const hint = known === 'not-json' ? 'send Content-Type: application/json' : undefined;
    return new Refusal(known, `${PROBLEMS[known].title}.`, hint === undefined ? {} : { hint });
  }
  return new Refusal('internal', 'The server has made a mistake; its log says which.', {
    hint: 'the requestId of this answer finds it in the log',
  });
}

/** What the framework, or Node's reader of requests, holds against the request: not a mistake of ours. */
function isObjection(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}
