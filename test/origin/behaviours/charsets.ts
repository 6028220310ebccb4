import iconv from 'iconv-lite';
import type { Handler } from '../site.ts';
import { typed } from './types.ts';

export interface CharsetLies {
  /** What the bytes really are. */
  readonly actual: string;
  /** What the Content-Type says; nothing when left out. */
  readonly header?: string;
  /** What the meta element says; nothing when left out. */
  readonly meta?: string;
  readonly text: string;
}

/** A page whose bytes, header and meta element need not agree. */
export function lyingCharset(lies: CharsetLies): Handler {
  const meta = lies.meta === undefined ? '' : `<meta charset="${lies.meta}">`;
  const page = `<!doctype html><html><head>${meta}<title>${lies.text}</title></head><body><p>${lies.text}</p></body></html>`;
  const type = lies.header === undefined ? 'text/html' : `text/html; charset=${lies.header}`;
  return typed(type, iconv.encode(page, lies.actual));
}

export const cyrillicAsUtf8 = lyingCharset({
  actual: 'windows-1251',
  header: 'utf-8',
  text: 'Съешь ещё этих мягких булок',
});
export const japaneseAsUtf8 = lyingCharset({ actual: 'shift_jis', header: 'utf-8', text: '日本語のページ' });
export const metaDisagrees = lyingCharset({
  actual: 'utf-8',
  header: 'utf-8',
  meta: 'windows-1251',
  text: 'naïve café',
});
export const metaOnly = lyingCharset({ actual: 'shift_jis', meta: 'shift_jis', text: '日本語のページ' });
