/** What answers carry besides their body: said here, so that what is sent and what is described are one thing. */
export const ANSWER_HEADERS = {
  'X-Request-Id': 'Names the request in the logs of the server',
  Location: 'Where the thing is that was made, or where to go on',
  'Retry-After': 'Seconds after which it is worth trying again',
  'RateLimit-Policy': 'The limits that hold: how many requests (`q`) in how many seconds (`w`)',
  RateLimit: 'How many are left (`r`), and in how many seconds (`t`) there is room for one more than now',
  'RateLimit-Limit': 'Of the limit with the least left, for clients that read it so: how many requests',
  'RateLimit-Remaining': 'Of the same limit: how many are left',
  'RateLimit-Reset': 'Of the same limit: in how many seconds there is room for one more than now',
  'WWW-Authenticate': 'How to show who one is: `Bearer`, a key',
  'Set-Cookie': 'The cookie of the session: a new one, or its end',
  'Idempotency-Replayed': 'Only `true`: the request was done before, and this is the answer it got then',
  ETag: 'Names this version: sent back as `If-None-Match`, it is answered with 304 while nothing has changed',
} as const;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Those a route may send besides what comes with its status and tier. */
export type OwnHeader = Extract<AnswerHeader, 'Location' | 'Set-Cookie' | 'ETag' | 'Retry-After'>;

/** A header that a request may carry. Visible ASCII, no space: it is compared byte for byte. */
export const IDEMPOTENCY_KEY_PATTERN = '^[\\x21-\\x7e]{1,255}$';
