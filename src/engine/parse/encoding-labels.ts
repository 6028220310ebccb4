/** Encoding labels and names of the WHATWG Encoding standard, and where a Content-Type header names one. */

/** Labels that lead to encodings this Node's TextDecoder does not know. */
const unsupportedLabels = new Map([
  ['iso-8859-16', 'iso-8859-16'],
  ['x-user-defined', 'x-user-defined'],
  ['csiso2022kr', 'replacement'],
  ['hz-gb-2312', 'replacement'],
  ['iso-2022-cn', 'replacement'],
  ['iso-2022-cn-ext', 'replacement'],
  ['iso-2022-kr', 'replacement'],
  ['replacement', 'replacement'],
]);

const MAX_CACHED = 500;
/** With room for the whitespace around it; the longest label has 19 characters. */
const MAX_LABEL_LENGTH = 100;
const encodingByLabel = new Map<string, string | undefined>();
const encodingByContentType = new Map<string, string | undefined>();

/** The encoding's name in lower case for any of its labels; undefined for a label nobody defined. */
export function encodingFromLabel(label: string): string | undefined {
  if (label.length > MAX_LABEL_LENGTH) return undefined;
  const key = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase();
  if (key === '') return undefined;
  if (encodingByLabel.has(key)) return encodingByLabel.get(key);
  const encoding = unsupportedLabels.get(key) ?? askTextDecoder(key);
  remember(encodingByLabel, key, encoding);
  return encoding;
}

/**
 * The charset a Content-Type header names: the first with a label we know. Quotes of either kind, missing
 * ones, spaces around the equals sign and headers joined by a comma are all met in the wild.
 */
export function encodingFromContentType(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  if (encodingByContentType.has(contentType)) return encodingByContentType.get(contentType);
  const header = contentType.slice(0, 1000);
  let encoding: string | undefined;
  for (const match of header.matchAll(/(?:^|[;,\s])charset\s*=\s*(?:"([^"]*)|'([^']*)|([^;,\s"']*))/gi)) {
    encoding = encodingFromLabel(match[1] ?? match[2] ?? match[3] ?? '');
    if (encoding !== undefined) break;
  }
  if (contentType.length <= 200) remember(encodingByContentType, contentType, encoding);
  return encoding;
}

function askTextDecoder(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function remember(cache: Map<string, string | undefined>, key: string, value: string | undefined): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, value);
}
