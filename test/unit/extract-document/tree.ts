import { type DocumentElement, parseDocument } from '../../../src/engine/extract/document/page-document.ts';

/** The tree of a page in one line, such as `html(body(p("one")))`. */
export function treeOf(html: string): string {
  return shape(parseDocument(Buffer.from(html)).root);
}

/** What is inside the body of a page. */
export function bodyOf(html: string): string {
  const body = parseDocument(Buffer.from(html)).selectFirst('body');
  if (body === undefined) throw new Error('the page has no body');
  return shape(body);
}

function shape(element: DocumentElement): string {
  const parts: string[] = [];
  for (const child of element.children) {
    if (child.kind === 'element') {
      const inner = shape(child);
      parts.push(inner === '' ? child.name : `${child.name}(${inner})`);
    } else if (child.text() !== '') {
      parts.push(JSON.stringify(child.text()));
    }
  }
  return parts.join(' ');
}
