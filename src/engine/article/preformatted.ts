import type { PageElement, PageNode } from './page-tree.ts';

/** The text of a `pre` with its line breaks; highlighters that put each line in an element are understood. */
export function preformattedTextOf(element: PageElement): string {
  let text = '';
  const endLine = () => {
    if (!text.endsWith('\n')) text += '\n';
  };
  const stack: Array<PageNode | (() => void)> = [element];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    if (typeof node === 'function') {
      node();
      continue;
    }
    if (node.type === 'text') {
      text += node.data;
      continue;
    }
    if (node.removed) continue;
    if (node.name === 'br') text += '\n';
    if (LINE_ELEMENTS.has(node.name) && node !== element) stack.push(endLine);
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  // No pattern that ends in `$` after white space: on long runs of spaces it takes quadratic time.
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}

const LINE_ELEMENTS = new Set(['div', 'p', 'li', 'tr']);
const LANGUAGE_CLASS =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?|sourceCode)[-:\s]+([a-z][\w+#]{0,19})(?:\s|$)/i;
const NO_LANGUAGE = /^(?:default|text|plain\w*|none|notranslate|highlight|code|raw)$/i;

/** From the class of the `pre`, of the `code` inside it, or of the box a highlighter put around it. */
export function codeLanguageOf(element: PageElement): string | undefined {
  const inner = element.children.find((child): child is PageElement => child.type === 'element');
  const candidates = [element, inner, element.parent, element.parent?.parent];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const { attributes } = candidate;
    const named = attributes['data-lang'] ?? attributes['data-language'] ?? attributes['lang-name'];
    const language = named ?? LANGUAGE_CLASS.exec(attributes.class ?? '')?.[1];
    if (language !== undefined && /^[\w+#.-]{1,20}$/.test(language) && !NO_LANGUAGE.test(language)) {
      return language.toLowerCase();
    }
  }
  return undefined;
}
