import { Parser } from 'htmlparser2';

/**
 * A light tree of one page, built for repeated linear passes: parents are known, text is decoded, comments
 * and doctype are gone. Nothing in this folder recurses over it; every pass walks `elements` or an own stack.
 */
export interface PageElement {
  readonly type: 'element';
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: PageNode[];
  readonly parent: PageElement | undefined;
  /** Words of class and id in lower case, `relatedPosts box_2` → ` related posts box 2 `. */
  readonly label: string;
  /** Set when a pass has decided that this subtree is not content. */
  removed: boolean;
}

export interface PageText {
  readonly type: 'text';
  data: string;
}

export type PageNode = PageElement | PageText;

export interface PageTree {
  readonly root: PageElement;
  /** Every element in document order, parents before children. */
  readonly elements: readonly PageElement[];
}

/** Deeper elements become siblings, as browsers do it (Blink caps at 512). */
const MAX_DEPTH = 512;
/** Open elements at which the parser is started anew: its own stack costs O(depth) a tag. */
const MAX_OPEN_ELEMENTS = 2048;
const CHUNK_CHARACTERS = 8192;
/** Past this many elements (long books have a tenth of it) only text is kept, so that time stays bounded. */
const MAX_ELEMENTS = 200_000;

export function parsePageTree(html: string): PageTree {
  const root = createElement('#root', {}, undefined);
  const elements: PageElement[] = [root];
  let open: PageElement[] = [root];
  let openCount = 0;
  const createParser = () =>
    new Parser(
      {
        onopentag(name, attributes) {
          openCount += 1;
          const parent = open[Math.min(open.length, MAX_DEPTH) - 1] ?? root;
          if (elements.length > MAX_ELEMENTS && !RAW_ELEMENTS.has(name)) {
            if (!INLINE_ELEMENTS.has(name)) appendText(parent, ' ');
            open.push(parent);
            return;
          }
          const element = createElement(name, attributes, parent);
          parent.children.push(element);
          elements.push(element);
          open.push(element);
        },
        ontext(data) {
          appendText(open[Math.min(open.length, MAX_DEPTH) - 1] ?? root, data);
        },
        onclosetag() {
          openCount -= 1;
          if (open.length > 1) open.pop();
        },
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
  let parser = createParser();
  for (let at = 0; at < html.length; ) {
    // A new parser must not start inside a tag.
    const next = html.indexOf('<', at + CHUNK_CHARACTERS);
    const end = next === -1 ? html.length : next;
    parser.write(html.slice(at, end));
    at = end;
    if (openCount > MAX_OPEN_ELEMENTS) {
      parser.end();
      open = [root];
      openCount = 0;
      parser = createParser();
    }
  }
  parser.end();
  return { root, elements };
}

/** What must stay recognisable, or its code would be taken for text. */
const RAW_ELEMENTS = new Set(['script', 'style', 'noscript', 'template']);

function appendText(parent: PageElement, data: string): void {
  const last = parent.children.at(-1);
  if (last?.type === 'text') last.data += data;
  else parent.children.push({ type: 'text', data });
}

function createElement(
  name: string,
  attributes: Record<string, string>,
  parent: PageElement | undefined,
): PageElement {
  // The id of a section or heading repeats its words for links: `<section id="cookies">` is about cookies.
  const isAnchor =
    /^(?:section|h[1-6]|dt)$/.test(name) || /(?:^|\s)section(?:\s|$)/.test(attributes.class ?? '');
  const label = labelOf(attributes.class, isAnchor ? undefined : attributes.id);
  return { type: 'element', name, attributes, children: [], parent, label, removed: false };
}

/** Long utility-class soups carry no meaning past the first few hundred characters. */
const MAX_LABEL_CHARACTERS = 400;

/** Content systems name the subject of a post in its classes: `tag-social-media` is no share bar. */
const SUBJECT_CLASSES = /(?<=^|\s)(?:category|tag|topic|term|author|section)-[^\s]+/g;

function labelOf(className: string | undefined, id: string | undefined): string {
  if (!className && !id) return ' ';
  const words = `${id ?? ''} ${className ?? ''}`
    .slice(0, MAX_LABEL_CHARACTERS)
    .replace(SUBJECT_CLASSES, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase()
    .trim();
  return ` ${words} `;
}

/** The text below an element up to a length, spaces collapsed; removed parts and the code of scripts left out. */
export function textOf(element: PageElement, maxCharacters = 20_000): string {
  let text = '';
  const stack: PageNode[] = [element];
  while (stack.length > 0 && text.length < maxCharacters) {
    const node = stack.pop();
    if (node === undefined) break;
    if (node.type === 'text') {
      text += node.data;
      continue;
    }
    if (node.removed || node.name === 'script' || node.name === 'style') continue;
    if (!INLINE_ELEMENTS.has(node.name)) text += ' ';
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  return text.slice(0, maxCharacters).replace(/\s+/g, ' ').trim();
}

/** Elements that do not break the line of text around them. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr output q rp rt ' +
    'ruby s samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
);

/** Is there a living ancestor (or the element itself) that satisfies the test? Looks at most `levels` up. */
export function findAncestor(
  element: PageElement,
  test: (candidate: PageElement) => boolean,
  levels = MAX_DEPTH,
): PageElement | undefined {
  let candidate: PageElement | undefined = element;
  for (let level = 0; candidate !== undefined && level < levels; level += 1) {
    if (test(candidate)) return candidate;
    candidate = candidate.parent;
  }
  return undefined;
}
