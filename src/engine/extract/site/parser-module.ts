/** A file that is to be a site parser: loaded, and looked at for what a parser must have. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { SiteParser } from '../../../parser/site-parser.ts';
import { errorCode } from '../../../platform/errors.ts';

export const PARSER_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const isFunction = (value: unknown): boolean => typeof value === 'function';

const shape = z.looseObject({
  name: z.string('must be a name such as "my-shop"').regex(PARSER_NAME, {
    error: 'must be small letters, digits, dashes and underscores, at most 64, such as "my-shop"',
  }),
  version: z.string('must be text such as "1" or "2026-03-01"').regex(/^[\w.+:@-]{1,64}$/, {
    error: 'must be text such as "1" or "2026-03-01": at most 64 letters, digits and .+-_:@',
  }),
  describe: z.string().max(500).optional(),
  fallback: z.enum(['generic', 'none'], { error: 'must be "generic" or "none"' }).optional(),
  isProduct: z.custom(isFunction, 'must be a function of a page').optional(),
  parse: z.custom(isFunction, 'must be a function of a page'),
});

/** What is wrong with a file, and what to do about it. */
export class BadParser extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BadParser';
    this.hint = hint;
  }
}

export async function loadParserModule(file: string): Promise<SiteParser> {
  const stamp = await readStamp(file);
  let module: Record<string, unknown>;
  try {
    // By its time of change: a file that was edited is another module, not the one loaded before.
    module = await withinTime(import(/* @vite-ignore */ `${pathToFileURL(file).href}?${stamp}`));
  } catch (error) {
    throw new BadParser(
      `it cannot be loaded: ${describe(error)}`,
      `correct it; "node ${file}" shows where the error is`,
      error,
    );
  }
  return checkParser(module.default);
}

/** The parser itself, not a copy: its functions may look at `this`. */
export function checkParser(value: unknown): SiteParser {
  if (value === undefined || value === null) {
    throw new BadParser('it has no default export', 'write "export default { name, version, parse }"');
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new BadParser(
      place === '' ? 'its default export is not an object' : `its ${place} ${issue?.message}`,
      'docs/parsers.md says what a parser has',
    );
  }
  if (RESERVED.includes(parsed.data.name)) {
    throw new BadParser(`its name is "${parsed.data.name}", which is taken`, 'give it another name');
  }
  return value as SiteParser;
}

const RESERVED = ['generic', 'none', 'bot'];

async function readStamp(file: string): Promise<string> {
  if (!/\.m?js$/.test(file)) {
    throw new BadParser('its name ends neither in .mjs nor in .js', 'a parser is a plain ES module');
  }
  try {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs}-${size}`;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    throw new BadParser(
      isMissing ? 'there is no such file' : `it cannot be read (${errorCode(error) ?? String(error)})`,
      'check the path, and who may read it',
      error,
    );
  }
}

const LOAD_MS = 10_000;

/** A module may wait for something while it is loaded, and for ever. */
async function withinTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes longer than ${LOAD_MS / 1000} s`)), LOAD_MS);
  });
  try {
    return await Promise.race([loading, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Which parser a file was to be, where it cannot say so itself. */
export function nameOfFile(file: string): string {
  return path.basename(file).replace(/\.m?js$/, '');
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, 500);
}
