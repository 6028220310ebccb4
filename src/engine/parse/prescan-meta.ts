import { encodingFromLabel } from './encoding-labels.ts';

/**
 * Prescan of a byte stream for the encoding its own markup declares (HTML standard, 13.2.3.2): a meta
 * element with charset, or with http-equiv=content-type and a charset in its content; failing that, an XML
 * declaration. Looks at no more than `limit` bytes.
 */
export function prescanMeta(body: Buffer, limit: number): string | undefined {
  // One character per byte: the markup looked for is ASCII in every encoding a prescan can find.
  const head = body.toString('latin1', 0, Math.min(body.length, limit));
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be';
  const scanner = new Prescan(head);
  return scanner.run() ?? xmlEncoding(head);
}

/** The charset inside a meta's content (HTML standard, "extracting a character encoding from a meta element"). */
function encodingFromMetaContent(content: string): string | undefined {
  const found =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i.exec(content);
  return found === null ? undefined : encodingFromLabel(found[1] ?? found[2] ?? found[3] ?? '');
}

class Prescan {
  private at = 0;
  private readonly head: string;

  constructor(head: string) {
    this.head = head;
  }

  run(): string | undefined {
    const head = this.head;
    for (;;) {
      this.at = head.indexOf('<', this.at);
      if (this.at === -1) return undefined;
      if (head.startsWith('<!--', this.at)) {
        const close = head.indexOf('-->', this.at + 2);
        if (close === -1) return undefined;
        this.at = close + 3;
      } else if (/^<meta[\t\n\f\r /]/i.test(head.slice(this.at, this.at + 6))) {
        this.at += 6;
        const encoding = this.readMeta();
        if (encoding !== undefined) return encoding;
      } else if (/^<\/?[a-z]/i.test(head.slice(this.at, this.at + 3))) {
        this.at += 1;
        while (this.at < head.length && !/[\t\n\f\r >]/.test(head.charAt(this.at))) this.at++;
        while (this.readAttribute() !== undefined);
      } else if (/^<[!/?]/.test(head.slice(this.at, this.at + 2))) {
        this.at = head.indexOf('>', this.at);
        if (this.at === -1) return undefined;
      } else {
        this.at++;
      }
    }
  }

  private readMeta(): string | undefined {
    const seen = new Set<string>();
    let hasPragma = false;
    let needsPragma: boolean | undefined;
    let encoding: string | undefined;
    for (let pair = this.readAttribute(); pair !== undefined; pair = this.readAttribute()) {
      if (seen.has(pair.name)) continue;
      seen.add(pair.name);
      if (pair.name === 'http-equiv') {
        hasPragma ||= pair.value === 'content-type';
      } else if (pair.name === 'content') {
        if (encoding !== undefined || needsPragma === false) continue;
        encoding = encodingFromMetaContent(pair.value);
        if (encoding !== undefined) needsPragma = true;
      } else if (pair.name === 'charset') {
        encoding = encodingFromLabel(pair.value);
        needsPragma = false;
      }
    }
    if (encoding === undefined || (needsPragma === true && !hasPragma)) return undefined;
    // A declaration read as ASCII cannot be in UTF-16, whatever it says.
    if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
    return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
  }

  /** The standard's "get an attribute"; name and value in lower case, undefined at the tag's end. */
  private readAttribute(): { name: string; value: string } | undefined {
    const head = this.head;
    this.skip(/[\t\n\f\r /]/);
    if (this.at >= head.length || head.charAt(this.at) === '>') return undefined;
    const nameStart = this.at;
    this.at++;
    while (this.at < head.length && !/[\t\n\f\r />=]/.test(head.charAt(this.at))) this.at++;
    const name = head.slice(nameStart, this.at).toLowerCase();
    this.skip(/[\t\n\f\r ]/);
    if (head.charAt(this.at) !== '=') return { name, value: '' };
    this.at++;
    this.skip(/[\t\n\f\r ]/);
    const quote = head.charAt(this.at);
    if (quote === '"' || quote === "'") {
      const close = head.indexOf(quote, this.at + 1);
      const valueEnd = close === -1 ? head.length : close;
      const value = head.slice(this.at + 1, valueEnd).toLowerCase();
      this.at = valueEnd + 1;
      // A value cut off by the limit is no value.
      return close === -1 ? undefined : { name, value };
    }
    const valueStart = this.at;
    while (this.at < head.length && !/[\t\n\f\r >]/.test(head.charAt(this.at))) this.at++;
    return { name, value: head.slice(valueStart, this.at).toLowerCase() };
  }

  private skip(what: RegExp): void {
    while (this.at < this.head.length && what.test(this.head.charAt(this.at))) this.at++;
  }
}

/** The standard's "get an XML encoding". */
function xmlEncoding(head: string): string | undefined {
  if (!head.startsWith('<?xml')) return undefined;
  const close = head.indexOf('>');
  if (close === -1) return undefined;
  const found = /encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^"]*)"|'([^']*)')/.exec(head.slice(0, close));
  const label = found?.[1] ?? found?.[2] ?? '';
  if (/[\x00-\x20]/.test(label)) return undefined;
  const encoding = encodingFromLabel(label);
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? 'utf-8' : encoding;
}
