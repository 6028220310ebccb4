/** What an element called a price says, without the amounts inside it that are others. */

import { BLOCK, elementFlags, UNSEEN } from '../../document/element-names.ts';
import type { DocumentElement, DocumentNode } from '../../document/page-document.ts';

const MAX_NODES = 300;
const MAX_LENGTH = 200;
const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Digits that have no cents yet. */
const WHOLE_BEFORE = /\p{Nd}$/u;
const CENTS_BEFORE = /\p{Nd}[.,]\p{Nd}{1,2}$/u;

/** Cents in an element of their own, glued to what is before them, are written as raised digits: `499<sup>99</sup>`. */
export function priceText(element: DocumentElement, left: readonly DocumentElement[] = []): string {
  let text = '';
  let nodes = 0;
  const visit = (node: DocumentNode): void => {
    nodes++;
    if (nodes > MAX_NODES || text.length > MAX_LENGTH) return;
    if (node.kind === 'text') {
      const { bytes } = node.parent.source;
      const said = node.text(MAX_LENGTH);
      const before = isSpace(bytes[node.start]) ? ' ' : '';
      text += said === '' ? ' ' : `${before}${said}${isSpace(bytes[node.end - 1]) ? ' ' : ''}`;
      return;
    }
    const flags = node.isForeign ? 0 : (elementFlags[node.tag] as number);
    if (left.includes(node)) text += ' ';
    else if ((flags & UNSEEN) === 0) {
      const around = (flags & BLOCK) === 0 ? '' : ' ';
      text += around;
      const from = text.length;
      for (const child of node.children) visit(child);
      text = raised(text, from) + around;
    }
  };
  for (const child of element.children) visit(child);
  const whole = text.replace(/[⁰¹²³⁴-⁹]{2}(?=\p{Nd})/gu, (digits) =>
    [...digits].map((digit) => RAISED_DIGITS.indexOf(digit)).join(''),
  );
  return whole.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
}

function raised(text: string, from: number): string {
  const inner = text.slice(from);
  const before = text.slice(0, from);
  if (!/^\d\d$/.test(inner) || !WHOLE_BEFORE.test(before) || CENTS_BEFORE.test(before)) return text;
  return before + [...inner].map((digit) => RAISED_DIGITS[Number(digit)]).join('');
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}
