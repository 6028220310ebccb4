import type { ChildNode, Element } from 'domhandler';
import { parseDocument as parseByLibrary } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { type DocumentElement, parseDocument } from '../../../src/engine/extract/document/page-document.ts';

/** On pages in which every tag is there and where it belongs, there is one tree only. */

interface Shape {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadonlyArray<Shape | string>;
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim();

function shapeOfOurs(element: DocumentElement): Shape {
  return {
    name: element.name,
    attributes: Object.fromEntries(element.attributes()),
    children: element.children
      .map((child) => (child.kind === 'element' ? shapeOfOurs(child) : child.text()))
      .filter((child) => child !== ''),
  };
}

function shapeOfTheirs(element: Element): Shape {
  const children: Array<Shape | string> = [];
  let text = '';
  const flush = () => {
    if (collapse(text) !== '') children.push(collapse(text));
    text = '';
  };
  for (const child of element.children as ChildNode[]) {
    if (child.type === 'text') text += child.data;
    else if ('attribs' in child) {
      flush();
      children.push(shapeOfTheirs(child));
    }
  }
  flush();
  return { name: element.name, attributes: { ...element.attribs }, children };
}

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words = [
  'alpha',
  'b & c',
  '"quoted"',
  'a < b',
  'é ü 漢字 🎈',
  '  spaced\n out ',
  '&copy; 2020',
  "it's",
];
const blocks = [
  'div',
  'section',
  'article',
  'ul',
  'table',
  'p',
  'h2',
  'script',
  'img',
  'br',
  'x-card',
  'svg',
];
const inlines = ['span', 'b', 'em', 'i', 'label', 'time', 'data', 'img', 'br', 'sup'];

function randomPage(seed: number): string {
  const next = numbers(seed);
  const pick = (list: readonly string[]) => list[next(list.length)] as string;
  const escaped = (text: string) => text.replaceAll(/&(?!copy;)/g, '&amp;').replaceAll('<', '&lt;');
  const attributes = () => {
    const parts = [''];
    if (next(2) === 0) parts.push(`class="${escaped(pick(words)).replaceAll('"', '&quot;')}"`);
    if (next(3) === 0) parts.push(`data-n='${escaped(pick(words)).replaceAll("'", '&#39;')}'`);
    if (next(4) === 0) parts.push(`id=i${next(100)}`);
    if (next(5) === 0) parts.push('hidden');
    return parts.join(next(2) === 0 ? ' ' : '\n\t');
  };
  const inline = (depth: number): string => {
    const name = pick(inlines);
    if (next(3) === 0) return escaped(pick(words));
    if (name === 'img' || name === 'br') return `<${name}${attributes()}>`;
    const inner =
      depth > 4 ? escaped(pick(words)) : Array.from({ length: next(3) }, () => inline(depth + 1)).join('');
    return `<${name}${attributes()}>${inner}</${name}>`;
  };
  const block = (depth: number): string => {
    const name = pick(blocks);
    const many = (make: () => string) =>
      Array.from({ length: next(4) }, make).join(next(2) === 0 ? '\n' : '');
    switch (name) {
      case 'img':
      case 'br':
        return `<${name}${attributes()}><!-- <b> ${pick(words)} -->`;
      case 'p':
      case 'h2':
        return `<${name}${attributes()}>${many(() => inline(0))}</${name}>`;
      case 'script':
        return `<script${attributes()}>if (a < b && c) document.write("<p>x<\\/p>");</script>`;
      case 'svg':
        return `<svg${attributes()}><g><path d="M0 0"></path></g></svg>`;
      case 'ul':
        return `<ul${attributes()}>${many(() => `<li${attributes()}>${inline(0)}</li>`)}</ul>`;
      case 'table':
        return `<table${attributes()}><tbody>${many(() => `<tr><td${attributes()}>${inline(0)}</td><th>${inline(0)}</th></tr>`)}</tbody></table>`;
      default:
        return `<${name}${attributes()}>${depth > 6 ? '' : many(() => block(depth + 1))}${inline(0)}</${name}>`;
    }
  };
  const body = Array.from({ length: 8 }, () => block(0)).join('\n');
  return `<!doctype html><html${attributes()}><head><meta charset="utf-8"><title>${escaped(pick(words))}</title></head><body${attributes()}>${body}</body></html>`;
}

describe('the tree of a well-formed page', () => {
  it.each(Array.from({ length: 60 }, (_, index) => index + 1))('is that of htmlparser2 (page %i)', (seed) => {
    const html = randomPage(seed * 7919);
    const ours = parseDocument(Buffer.from(html)).selectFirst('html');
    const theirs = parseByLibrary(html).children.find((node) => 'attribs' in node && node.name === 'html');
    expect(ours).toBeDefined();
    expect(shapeOfOurs(ours as DocumentElement)).toEqual(shapeOfTheirs(theirs as Element));
  });
});
