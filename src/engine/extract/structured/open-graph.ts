/**
 * What a page says about itself in metas: OpenGraph and its product namespace, Twitter cards, and plain names. Read by
 * a pass over the bytes from one `<meta` to the next, no tree needed.
 */
import { attributeIds, TagReader } from '../../parse/tag-reader.ts';
import { isNoValue } from '../values/no-value.ts';

/** All values of each name, in the order of the page; names in lower case. */
export type PageMetas = ReadonlyMap<string, readonly string[]>;

const MAX_METAS = 400;
const MAX_VALUE_BYTES = 20_000;
const MAX_VALUES_OF_A_NAME = 50;

const reader = new TagReader();

export function readMetas(html: Buffer): PageMetas {
  const metas = new Map<string, string[]>();
  reader.start(html);
  let left = MAX_METAS;
  // Whoever writes tags in capitals does it everywhere.
  const needle = html.includes('<meta') ? '<meta' : '<META';
  for (let at = html.indexOf(needle); at !== -1 && left > 0; at = html.indexOf(needle, at)) {
    const end = reader.read(at + 1, html.length);
    if (end === -1) break;
    left--;
    const content = reader.trimmedValue(attributeIds.content, MAX_VALUE_BYTES);
    if (content !== undefined && content !== '' && !isNoValue(content)) {
      const name =
        reader.trimmedValue(attributeIds.property, 100) ?? reader.trimmedValue(attributeIds.name, 100);
      if (name !== undefined) addValue(metas, name.toLowerCase(), content);
    }
    at = end;
  }
  reader.finish();
  return metas;
}

function addValue(metas: Map<string, string[]>, name: string, value: string): void {
  const values = metas.get(name);
  if (values === undefined) metas.set(name, [value]);
  else if (values.length < MAX_VALUES_OF_A_NAME) values.push(value);
}

/** The first of these names that the page has, with its value. */
export function firstMeta(
  metas: PageMetas,
  ...names: readonly string[]
): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}
