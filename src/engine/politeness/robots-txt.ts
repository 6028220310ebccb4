/**
 * Reads robots.txt into groups, as RFC 9309 says and as Google's reference parser does where the RFC leaves
 * room. The file is handled as octets: a line may be in any encoding, and the length of a pattern in octets
 * decides which rule wins. Lines become "binary" strings, one character per octet.
 *
 * What the reference does that one might not expect, and that is kept here on purpose:
 * - keys match by prefix, so `Disallowed:` and `User-agents:` count;
 * - only Allow and Disallow end a run of User-agent lines: a Sitemap or an unknown line in between does not;
 * - a line counts up to its first NUL, and up to 8 × 2083 − 1 octets.
 */

/** RFC 9309 §2.5 wants at least this much parsed; the fetcher cuts here. */
export const ROBOTS_MAX_BYTES = 500 * 1024;

const MAX_LINE_OCTETS = 2083 * 8 - 1;
const MAX_SITEMAPS = 1000;
const MAX_OTHER_LINES = 100;
const MAX_OTHER_LINE_CHARS = 500;

export interface RobotsRule {
  readonly isAllow: boolean;
  /** The value as written, one character per octet, not yet percent-encoded. */
  readonly pattern: string;
  readonly line: number;
  /** The line as written, without its comment. */
  readonly text: string;
}

export interface RobotsGroup {
  /** Product tokens in lower case, `*` for everyone, in the order of their lines. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelays: readonly RobotsCrawlDelay[];
}

export interface RobotsCrawlDelay {
  readonly seconds: number;
  /**
   * How many of the group's agents stood above the line: it binds those alone. `bingbot, Crawl-delay: 10,
   * User-agent: *` is one group to the RFC, but its author did not mean to slow everyone down.
   */
  readonly agentCount: number;
}

export interface RobotsTxt {
  readonly groups: readonly RobotsGroup[];
  /** Sitemap values as written, without repeats; the protocol wants absolute URLs, not everyone obeys. */
  readonly sitemaps: readonly string[];
  /** Lines nobody here acts on (Content-Signal, Host, Clean-param …), the first hundred, kept as evidence. */
  readonly otherLines: ReadonlyArray<{ readonly line: number; readonly text: string }>;
}

export interface ParseRobotsOptions {
  /**
   * The body was cut at a cap: its last line may be half a rule (`Disallow: /` of `Disallow: /tmp`) and goes.
   * Unless said, a body of exactly ROBOTS_MAX_BYTES is taken for a cut one.
   */
  readonly isTruncated?: boolean;
}

export function parseRobotsTxt(body: Uint8Array | string, options: ParseRobotsOptions = {}): RobotsTxt {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : asBuffer(body);
  const builder = new RobotsBuilder();
  let lineNumber = 0;
  let lineStart = countBomOctets(bytes);
  for (let index = lineStart; index < bytes.length; index += 1) {
    const octet = bytes[index];
    if (octet !== LF && octet !== CR) continue;
    lineNumber += 1;
    builder.addLine(lineNumber, sliceLine(bytes, lineStart, index));
    if (octet === CR && bytes[index + 1] === LF) index += 1;
    lineStart = index + 1;
  }
  if (!(options.isTruncated ?? bytes.length === ROBOTS_MAX_BYTES)) {
    builder.addLine(lineNumber + 1, sliceLine(bytes, lineStart, bytes.length));
  }
  return builder.finish();
}

const LF = 0x0a;
const CR = 0x0d;
const UTF8_BOM = [0xef, 0xbb, 0xbf];

function asBuffer(body: Uint8Array): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** A byte order mark is skipped, and so is the beginning of one. */
function countBomOctets(bytes: Buffer): number {
  let count = 0;
  while (count < UTF8_BOM.length && bytes[count] === UTF8_BOM[count]) count += 1;
  return count;
}

function sliceLine(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, Math.min(end, start + MAX_LINE_OCTETS));
}

interface OpenGroup {
  readonly agents: string[];
  readonly rules: RobotsRule[];
  readonly crawlDelays: RobotsCrawlDelay[];
}

class RobotsBuilder {
  readonly #groups: OpenGroup[] = [];
  readonly #sitemaps = new Set<string>();
  readonly #otherLines: { line: number; text: string }[] = [];
  #group: OpenGroup | undefined;

  addLine(line: number, rawLine: string): void {
    const text = stripCommentAndSpace(rawLine);
    if (text === '') return;
    const field = splitField(text);
    if (field === undefined) return;
    switch (classifyKey(field.key)) {
      case 'user-agent':
        this.#openGroup().agents.push(readAgentToken(field.value));
        return;
      case 'allow':
        this.#group?.rules.push({ isAllow: true, pattern: field.value, line, text: decodeOctets(text) });
        return;
      case 'disallow':
        this.#group?.rules.push({ isAllow: false, pattern: field.value, line, text: decodeOctets(text) });
        return;
      case 'sitemap':
        this.#addSitemap(field);
        return;
      case 'crawl-delay':
        this.#addCrawlDelay(field.value);
        return;
      case 'other':
        if (this.#otherLines.length >= MAX_OTHER_LINES) return;
        this.#otherLines.push({ line, text: decodeOctets(text.slice(0, MAX_OTHER_LINE_CHARS)) });
    }
  }

  finish(): RobotsTxt {
    return { groups: this.#groups, sitemaps: [...this.#sitemaps], otherLines: this.#otherLines };
  }

  /** User-agent lines gather in one group until its first rule; the next one after that begins another. */
  #openGroup(): OpenGroup {
    if (this.#group === undefined || this.#group.rules.length > 0) {
      this.#group = { agents: [], rules: [], crawlDelays: [] };
      this.#groups.push(this.#group);
    }
    return this.#group;
  }

  #addSitemap(field: Field): void {
    // `Sitemap https://…` without its colon splits at the colon of the scheme: put the URL together again.
    const scheme = /[ \t](https?)$/i.exec(field.key)?.[1];
    const value = decodeOctets(scheme === undefined ? field.value : `${scheme}:${field.value}`);
    if (value !== '' && this.#sitemaps.size < MAX_SITEMAPS) this.#sitemaps.add(value);
  }

  #addCrawlDelay(value: string): void {
    if (this.#group === undefined || !/^(\d+\.?\d*|\.\d+)$/.test(value)) return;
    const seconds = Number(value);
    if (!Number.isFinite(seconds)) return;
    this.#group.crawlDelays.push({ seconds, agentCount: this.#group.agents.length });
  }
}

interface Field {
  readonly key: string;
  readonly value: string;
}

function stripCommentAndSpace(rawLine: string): string {
  let end = rawLine.length;
  const nul = rawLine.indexOf('\0');
  if (nul !== -1) end = nul;
  const hash = rawLine.indexOf('#');
  if (hash !== -1 && hash < end) end = hash;
  return stripAsciiSpace(end === rawLine.length ? rawLine : rawLine.slice(0, end));
}

/** Not trim(): the octet 0xA0 of a multi-byte character would pass for a no-break space. */
function stripAsciiSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isAsciiSpace(text.charCodeAt(end - 1))) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Splits at the colon; without one, at blank space, if that leaves exactly two words. */
function splitField(text: string): Field | undefined {
  let separator = text.indexOf(':');
  if (separator === -1) {
    separator = text.search(/[ \t]/);
    if (separator === -1 || !/^[ \t]+[^ \t]+$/.test(text.slice(separator))) return undefined;
  }
  const key = stripAsciiSpace(text.slice(0, separator));
  return key === '' ? undefined : { key, value: stripAsciiSpace(text.slice(separator + 1)) };
}

type KeyKind = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'other';

const KEY_PREFIXES: ReadonlyArray<readonly [prefix: string, kind: KeyKind]> = [
  ['disallow', 'disallow'],
  ['allow', 'allow'],
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
];

function classifyKey(key: string): KeyKind {
  const lowerKey = key.toLowerCase();
  for (const [prefix, kind] of KEY_PREFIXES) {
    if (lowerKey.startsWith(prefix)) return kind;
  }
  return /^crawl[- ]?delay$/.test(lowerKey) ? 'crawl-delay' : 'other';
}

/** `*`, also followed by space and more, is everyone; of anything else the leading token characters count. */
function readAgentToken(value: string): string {
  if (value.startsWith('*') && (value.length === 1 || isAsciiSpace(value.charCodeAt(1)))) return '*';
  return (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase();
}

function decodeOctets(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}
