/** The one kind of body that is understood: JSON in UTF-8, or none. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function acceptJsonOnly(app: FastifyInstance): void {
  // The framework's parser refuses `__proto__`, and `constructor` with a `prototype`.
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      done(
        new Refusal('not-json', `JSON is read in UTF-8, not in ${charset.slice(0, 40)}.`, {
          hint: 'send Content-Type: application/json',
        }),
      );
      return;
    }
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    let text: string;
    try {
      text = utf8.decode(bytes as Buffer);
    } catch {
      done(new Refusal('bad-json', 'The body is not UTF-8.'));
      return;
    }
    parse(request, text, (error, value) => done(error === null ? null : badJson(text), value));
  });
}

function badJson(text: string): Refusal {
  try {
    JSON.parse(text);
    return new Refusal('bad-json', 'The body has fields that no request has: __proto__, constructor.');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new Refusal('bad-json', `The body is not JSON: ${why.slice(0, 200)}`);
  }
}
