/** Snippets come from the database as text with two characters around what was found, and go on in parts. */
import type { Snippet } from '../search-engine.ts';

/** For private use, by us: taken out of the text before, so that no text can pretend to have been found. */
export const HIT_BEGINS = '\ue000';
export const HIT_ENDS = '\ue001';

const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff';
/** Search has put spaces around each character of these, also where it was found. */
const SPACES = new RegExp(`(?<=[${CJK}]${HIT_ENDS}?) +| +(?=${HIT_BEGINS}?[${CJK}])`, 'gu');

export function toSnippet(marked: string): Snippet {
  const parts: { text: string; isHit: boolean }[] = [];
  const text = new RegExp(`[${CJK}]`, 'u').test(marked) ? marked.replace(SPACES, '') : marked;
  for (const [index, piece] of text.split(HIT_BEGINS).entries()) {
    const [hit, rest] = index === 0 ? ['', piece] : splitOnce(piece);
    add(parts, hit, true);
    add(parts, rest, false);
  }
  return parts;
}

function splitOnce(piece: string): [string, string] {
  const end = piece.indexOf(HIT_ENDS);
  return end === -1 ? [piece, ''] : [piece.slice(0, end), piece.slice(end + 1)];
}

/** Neighbours of a kind are one part. */
function add(parts: { text: string; isHit: boolean }[], text: string, isHit: boolean): void {
  if (text === '') return;
  const last = parts.at(-1);
  if (last?.isHit === isHit) last.text += text;
  else parts.push({ text, isHit });
}

export function hasHit(snippet: Snippet): boolean {
  return snippet.some(({ isHit }) => isHit);
}
