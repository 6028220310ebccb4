/** What an element says as the value of a property, by the kind of element it is. */
import type { DocumentElement } from '../document/page-document.ts';
import type { MarkupItems } from './markup-items.ts';

/** Which attribute of an element holds its address. */
export const urlAttributes = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['audio', 'src'],
  ['embed', 'src'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['source', 'src'],
  ['track', 'src'],
  ['video', 'src'],
  ['object', 'data'],
]);

/** Where pages that load their pictures late keep the address in the meantime. */
const lateAttributes = [
  'content',
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-zoom-image',
];

/** The address an element points to: of a picture that is loaded late, the one it will have. */
export function readUrl(element: DocumentElement, attribute: string, items: MarkupItems): string | undefined {
  const own = element.attribute(attribute)?.trim();
  if (own !== undefined && own !== '' && !own.startsWith('data:')) return items.url(own);
  for (const name of attribute === 'src' ? lateAttributes : ['content']) {
    const late = element.attribute(name)?.trim();
    if (late !== undefined && late !== '' && !late.startsWith('data:')) return items.url(late);
  }
  const source = attribute === 'src' ? firstOfSrcset(element) : undefined;
  return source === undefined ? undefined : items.url(source);
}

function firstOfSrcset(element: DocumentElement): string | undefined {
  const srcset = element.attribute('srcset') ?? element.attribute('data-srcset');
  const first = srcset?.trim().slice(0, 4096).split(/[\s]/, 1)[0]?.replace(/,+$/, '');
  return first === '' || first?.startsWith('data:') ? undefined : first;
}

/** An attribute in which a page says by machine what it says to people in words. */
export function readMachineValue(element: DocumentElement): string | undefined {
  const content = element.attribute('content');
  switch (element.name) {
    case 'time':
      return element.attribute('datetime') ?? content;
    case 'data':
    case 'meter':
    case 'progress':
      return element.attribute('value') ?? content;
    default:
      return content;
  }
}

/** Of an element without content: what its attributes say. */
export function readBareValue(element: DocumentElement, items: MarkupItems): string {
  const value = element.attribute('value');
  if (value !== undefined) return items.literal(value);
  const url = element.attribute('href') ?? element.attribute('src');
  return url === undefined ? '' : items.url(url);
}
