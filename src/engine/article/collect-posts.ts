import { measureOf, type TextMeasures } from './measure-text.ts';
import type { PageElement, PageTree } from './page-tree.ts';

/** Names that forum software gives to the text of a post, most specific first. */
const POST_BODIES: readonly RegExp[] = [
  / (?:cooked) /,
  / (?:s prose|js post body|post ?text) /,
  / (?:bb ?wrapper) /,
  / (?:post ?message ?\w*|vb postcontent|postcontent) /,
  / (?:postbody|post ?body) /,
  / (?:message ?body|message ?content|lia message body content|ips type rich ?text|comment content) /,
  / (?:md usertext body|usertext ?body|usertext) /,
  / (?:commtext|comment ?text|comment ?body|comment ?content) /,
  / (?:post ?content|entry ?content|reply ?content|bbp reply content|forum ?post ?\w*|thread ?message|topic ?body) /,
];

/**
 * The texts of all posts of a thread in document order. First by the names that forum software uses, then by
 * schema.org text properties; empty when neither yields at least two posts.
 */
export function collectPosts(tree: PageTree, measures: TextMeasures): PageElement[] {
  const total = measureOf(measures, tree.root).prose;
  let best: PageElement[] = [];
  let bestProse = 0;
  for (const pattern of POST_BODIES) {
    const posts = outermost(tree, (element) => pattern.test(element.label));
    const prose = posts.reduce((sum, post) => sum + measureOf(measures, post).prose, 0);
    if (posts.length >= 2 && prose > bestProse * 1.15) {
      best = posts;
      bestProse = prose;
    }
  }
  const marked = outermost(tree, (element) =>
    /^(?:text|articleBody|commentText)$/.test(element.attributes.itemprop ?? ''),
  );
  const markedProse = marked.reduce((sum, post) => sum + measureOf(measures, post).prose, 0);
  if (marked.length >= 2 && markedProse > bestProse) {
    best = marked;
    bestProse = markedProse;
  }
  return bestProse >= total * 0.3 ? best : [];
}

function outermost(tree: PageTree, test: (element: PageElement) => boolean): PageElement[] {
  const found: PageElement[] = [];
  const inside = new Set<PageElement>();
  for (const element of tree.elements) {
    if (element.removed) continue;
    if (element.parent !== undefined && inside.has(element.parent)) {
      inside.add(element);
      continue;
    }
    if (!test(element)) continue;
    found.push(element);
    inside.add(element);
  }
  return found;
}
