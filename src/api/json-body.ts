/** The one kind of body that is understood: JSON in UTF-8, or none. */
import type { FastifyInstance } from 'fastify';
import { findExcess } from './count-values.ts';
import { MOST_VALUES } from './plain-values.ts';
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
    // Items that are judged apart are counted by themselves: who counts exactly does so afterwards.
    const most = 2 * (request.routeOptions.config.endpoint?.mostBodyValues ?? MOST_VALUES);
    const excess = findExcess(bytes as Buffer, most);
    if (excess !== undefined) {
      done(invalid('body', excess));
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
    const path = findForbidden(JSON.parse(text), ['body']);
    return invalid(path?.join('.').slice(0, 200) ?? 'body', 'is the name of no field');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new Refusal('bad-json', `The body is not JSON: ${why.slice(0, 200)}`);
  }
}

/** Where the name is that the parser refused. As deep as the count before allows. */
function findForbidden(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name];
    const isForbidden =
      name === '__proto__' ||
      (name === 'constructor' &&
        typeof inner === 'object' &&
        inner !== null &&
        Object.hasOwn(inner, 'prototype'));
    const found = isForbidden ? here : findForbidden(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}
