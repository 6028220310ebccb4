/**
 * Every way a request can be refused, by the code that clients go by (RFC 9457: `type` is made of it). What control
 * throws as a ForagerError with one of these codes becomes this answer; any other error is a defect and a 500.
 */
import { z } from 'zod';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

const kind = (status: number, title: string): ProblemKind => ({ status, title });

export const PROBLEMS = {
  // The request itself
  'bad-request': kind(400, 'The request cannot be read'),
  'bad-json': kind(400, 'The body is not JSON'),
  invalid: kind(400, 'The request does not have the form that is expected here'),
  'bad-cursor': kind(400, 'The cursor is none of this list'),
  'bad-url': kind(400, 'Not a URL that can be crawled'),
  'bad-domain': kind(400, 'Not the name of a domain'),
  'bad-parser': kind(400, 'Not a parser that there is'),
  'bad-pattern': kind(400, 'Not a regular expression that may be used here'),
  'bad-webhook-url': kind(400, 'Not a URL that messages can be sent to'),
  'bad-webhook-secret': kind(400, 'Not a secret that messages can be signed with'),
  'bad-proxy': kind(400, 'Not a proxy that can be used'),
  'too-many-lines': kind(400, 'Too many lines for one request'),
  'not-confirmed': kind(400, 'Too much to be done without saying so'),
  'body-too-large': kind(413, 'The body is too large'),
  'uri-too-long': kind(414, 'The address is too long'),
  'not-json': kind(415, 'Only JSON is understood here'),
  'headers-too-large': kind(431, 'The headers are too large'),
  'request-timeout': kind(408, 'The request took too long to arrive'),
  'bad-expectation': kind(417, 'What the request expects cannot be done'),
  'unknown-host': kind(421, 'This server does not go by that name'),
  'unknown-route': kind(404, 'There is nothing here'),
  'method-not-allowed': kind(405, 'That cannot be done here'),
  'rate-limited': kind(429, 'Too many requests'),
  'too-many-at-once': kind(429, 'Too many requests at the same time'),
  // Who asks
  'not-logged-in': kind(401, 'Log in first, or show a key'),
  'bad-key': kind(401, 'The key is not known, was revoked, or has ended'),
  'bad-login': kind(401, 'No such name, or another password'),
  'login-throttled': kind(429, 'Too many failed logins'),
  'not-permitted': kind(403, 'This account or key may not do that'),
  'cross-site': kind(403, 'Refused: the request came from another site'),
  // What it is about
  'unknown-domain': kind(404, 'The domain is not known'),
  'unknown-page': kind(404, 'There is no such page'),
  'body-not-kept': kind(404, 'The body of the page was not kept'),
  'body-unreadable': kind(404, 'The body of the page cannot be read here'),
  'page-too-large': kind(422, 'The page is too large for that'),
  'unknown-image': kind(404, 'There is no such image'),
  'image-not-here': kind(404, 'The image is not on this machine'),
  'unknown-product': kind(404, 'There is no such product'),
  'unknown-parser': kind(404, 'There is no such parser'),
  'no-result': kind(404, 'The task has no result'),
  'unknown-job': kind(404, 'There is no such job'),
  'unknown-run': kind(404, 'There is no such crawl'),
  'unknown-alert': kind(404, 'There is no such alert'),
  'unknown-dead-letter': kind(404, 'There is no such dead letter'),
  'unknown-webhook': kind(404, 'There is no such webhook'),
  'unknown-delivery': kind(404, 'There is no such delivery'),
  'webhook-disabled': kind(409, 'The webhook is switched off'),
  'too-many-webhooks': kind(409, 'There are too many webhooks'),
  'unknown-bot': kind(404, 'There is no such bot'),
  'bot-exists': kind(409, 'There is, or was, a bot of that name'),
  'unknown-proxy': kind(404, 'There is no such proxy'),
  'unknown-pair': kind(404, 'The domain has nothing to do with that proxy'),
  'proxy-exists': kind(409, 'The proxy is there already'),
  'not-assigned': kind(409, 'The job is not in the hands of this bot'),
  'lock-expired': kind(409, 'The lock has run out'),
  'already-submitted': kind(409, 'Something else was handed in under this lock'),
  'wrong-bot': kind(403, 'The key is not that of this bot'),
  'bot-revoked': kind(403, 'The bot was revoked'),
  'bot-domain-refused': kind(403, 'The bot may not work on that domain'),
  'bot-quota': kind(429, 'The bot has all the jobs it may have'),
  'unknown-user': kind(404, 'There is no such user'),
  'unknown-key': kind(404, 'There is no such key'),
  'unknown-session': kind(404, 'There is no such session'),
  'unknown-policy': kind(404, 'There is no such policy'),
  'policy-exists': kind(409, 'There is a policy for that page already'),
  'bad-timezone': kind(400, 'Not the name of a time zone'),
  'unknown-task': kind(404, 'There is no such task'),
  'unknown-batch': kind(404, 'There is no such batch'),
  'duplicate-task': kind(409, 'There is a task for that page already'),
  'wrong-state': kind(409, 'The task is in a state in which that cannot be done'),
  'no-stored-body': kind(409, 'Nothing is kept of the page that could be parsed again'),
  'batch-exists': kind(409, 'There is a batch of that name already'),
  'batch-paused': kind(409, 'The batch is paused'),
  'parent-cycle': kind(409, 'A task cannot wait for itself'),
  'unknown-parent': kind(422, 'There is no such task to wait for'),
  'schedule-past': kind(422, 'The time lies in the past'),
  'schedule-too-far': kind(422, 'The time lies too far ahead'),
  'tasks-refused': kind(422, 'Some of the tasks cannot be taken, so none was'),
  'domain-exists': kind(409, 'The domain is known already'),
  'domain-going': kind(409, 'The domain is being removed'),
  'user-exists': kind(409, 'There is a user of that name already'),
  'last-admin': kind(409, 'The last administrator cannot be taken away'),
  'job-over': kind(409, 'The job is over already'),
  'key-revoked': kind(409, 'The key was revoked already'),
  'too-many-keys': kind(409, 'The account has too many keys'),
  'alert-over': kind(409, 'The alert is over already'),
  'bad-idempotency-key': kind(400, 'Not an Idempotency-Key'),
  'busy-key': kind(409, 'The same request is being worked on'),
  'reused-key': kind(422, 'The Idempotency-Key was used for another request'),
  'wrong-password': kind(422, 'The current password is another'),
  'weak-password': kind(422, 'The password is too easy to guess'),
  'nothing-accepted': kind(422, 'None of the URLs can be crawled'),
  // What the server cannot do at the moment
  'database-unavailable': kind(503, 'The database cannot be reached'),
  'bad-secret-key': kind(503, 'The key that secrets are encrypted with cannot be used'),
  'search-reindexing': kind(409, 'The index is being built already'),
  'search-unavailable': kind(503, 'The search server does not answer'),
  'too-slow': kind(503, 'The answer would have taken too long'),
  overloaded: kind(503, 'The server has too much to do'),
  'archive-unavailable': kind(503, 'Pages cannot be kept at the moment'),
  'disk-full': kind(507, 'There is no space left'),
  internal: kind(500, 'Something went wrong inside the server'),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

export const problem = z
  .object({
    type: z.string().describe('Where the code is explained'),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    detail: z.string().describe('What was wrong this time'),
    hint: z.string().optional().describe('What to do about it'),
    requestId: z.string().describe('Names the request in the logs of the server'),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('What is wrong where, when the request does not have the expected form'),
    success: z.literal(false).optional().describe('Of requests that bots send'),
    error: z
      .string()
      .optional()
      .describe('Of requests that bots send: the code as they know it, such as `lock_expired`'),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457)' });
export type Problem = z.infer<typeof problem>;
