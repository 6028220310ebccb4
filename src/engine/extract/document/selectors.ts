import { _compileUnsafe as compile } from 'css-select';
import { ForagerError } from '../../../platform/errors.ts';
import { DocumentElement, type DocumentNode } from './document-element.ts';

/**
 * CSS selectors over our tree, by css-select. A selector is compiled once and kept: once for whole pages, and once for
 * use inside an element, where it is read relative to that element.
 */

/** Those of a site's parser are a few dozen; the bound is for programs that make them up. */
const MAX_KEPT = 500;
const MAX_LENGTH = 2000;
/**
 * Sibling selectors look at all siblings of each element, and :contains at the text of each ancestor: on a page made
 * for it that is the square of its size. This is some tenths of a second.
 */
const MAX_STEPS = 20_000_000;

const NOWHERE = { bytes: Buffer.alloc(0), elements: [] };
const outer = new DocumentElement(NOWHERE, 0, null, null, 0, 0, false, 0, 0, 0);
/** Stands for the element that a selector is relative to, when it is compiled. */
const SCOPE = new DocumentElement(NOWHERE, 1, outer, null, 0, 0, false, 0, 0, 0);

let scope: DocumentElement | undefined;
let stepsLeft = 0;

const adapter = {
  // The root is the document, not an element.
  isTag: (node: DocumentNode): node is DocumentElement => node.kind === 'element' && node.index !== -1,
  getAttributeValue: (element: DocumentElement, name: string) => element.attribute(name),
  hasAttrib: (element: DocumentElement, name: string) => element.hasAttribute(name),
  getName: (element: DocumentElement) => element.name,
  getParent: (node: DocumentNode): DocumentNode | null => node.parent,
  getChildren: (node: DocumentNode): DocumentNode[] =>
    node.kind === 'element' ? (node.children as DocumentNode[]) : [],
  getSiblings: (node: DocumentNode): DocumentNode[] =>
    node.parent === null ? [node] : (node.parent.children as DocumentNode[]),
  prevElementSibling: (node: DocumentNode): DocumentElement | null =>
    node.kind === 'element' ? node.previous : null,
  getText: (node: DocumentNode): string => {
    if (node.kind === 'element') spend(node.contentEnd - node.contentStart);
    return node.text();
  },
  removeSubsets: (nodes: DocumentNode[]): DocumentNode[] => nodes,
  equals: (a: DocumentNode, b: DocumentNode): boolean => {
    spend(1);
    return a === b || (a === SCOPE && b === scope);
  },
};

type Query = ReturnType<typeof compile<DocumentNode, DocumentElement>>;

const forPages = new Map<string, Query>();
const forElements = new Map<string, Query>();

export function selectAll(selector: string, from: DocumentElement): DocumentElement[] {
  return run(selector, from, Number.POSITIVE_INFINITY);
}

export function selectOne(selector: string, from: DocumentElement): DocumentElement | undefined {
  return run(selector, from, 1)[0];
}

/** A selector that cannot be read throws here already, so that a parser can be refused before it sees a page. */
export function checkSelector(selector: string): void {
  queryOf(selector, false);
}

function run(selector: string, from: DocumentElement, wanted: number): DocumentElement[] {
  const isRoot = from.index === -1;
  const query = queryOf(selector, !isRoot);
  const { elements } = from.source;
  // "+ a" and "~ a" are about what follows the element.
  const range = query.shouldTestNextSiblings === true && from.parent !== null ? from.parent : from;
  const found: DocumentElement[] = [];
  const outerScope = scope;
  scope = isRoot ? undefined : from;
  stepsLeft = MAX_STEPS;
  try {
    let index = from.index + 1;
    while (index < range.nextIndex && found.length < wanted) {
      const element = elements[index] as DocumentElement;
      if (query(element)) found.push(element);
      index = element.name === 'template' ? element.nextIndex : index + 1;
    }
  } catch (error) {
    if (error === TOO_COSTLY) {
      throw new ForagerError(
        'selector-too-costly',
        `The selector ${quote(selector)} takes too long on this page.`,
        {
          hint: 'begin it with a class or an id, and do without :contains and sibling selectors on long lists',
        },
      );
    }
    throw error;
  } finally {
    scope = outerScope;
  }
  return found;
}

const TOO_COSTLY = Symbol('too costly');

function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw TOO_COSTLY;
}

function queryOf(selector: string, isRelative: boolean): Query {
  const kept = isRelative ? forElements : forPages;
  let query = kept.get(selector);
  if (query === undefined) {
    query = compileSelector(selector, isRelative);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(selector, query);
  }
  return query;
}

function compileSelector(selector: string, isRelative: boolean): Query {
  if (selector.length > MAX_LENGTH) {
    throw new ForagerError(
      'bad-selector',
      `The selector ${quote(selector)} is longer than ${MAX_LENGTH} characters.`,
    );
  }
  try {
    if (/(?:^|[>+~,])\s*$/.test(selector)) throw new Error('it ends before an element is named');
    return isRelative
      ? compile<DocumentNode, DocumentElement>(selector, { adapter, context: SCOPE, cacheResults: false })
      : compile<DocumentNode, DocumentElement>(selector, { adapter });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ForagerError('bad-selector', `The selector ${quote(selector)} cannot be read: ${reason}.`, {
      hint: 'write it as for querySelectorAll; without pseudo-elements such as ::before',
      cause: error,
    });
  }
}

function quote(selector: string): string {
  return JSON.stringify(selector.length > 100 ? `${selector.slice(0, 100)}…` : selector);
}
