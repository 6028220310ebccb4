import { measureOf, type TextMeasures } from './measure-text.ts';
import type { PageElement, PageTree } from './page-tree.ts';

/** Names that forum software gives to the text of a post. */
const POST_BODIES: readonly RegExp[] = [
  / (?:cooked) /,
  / (?:s prose|js post body|post ?text) /,
  / (?:bb ?wrapper) /,
  / (?:post ?message ?\w*|vb postcontent|postcontent|js post content text) /,
  / (?:postbody|post ?body) /,
  / (?:message ?body|message ?content|lia message body content|ips type rich ?text|user ?content) /,
  / (?:md usertext body|usertext ?body|usertext|rtjson content) /,
  / (?:commtext|comment ?text|comment ?body|comment ?content) /,
  / (?:msg \d+ inner|inner msg \d+) /,
  / (?:post ?content|entry ?content|reply ?content|bbp reply content|forum ?post ?\w*|thread ?message|topic ?body) /,
];

/**
 * The texts of all posts of a thread in document order: by the names that forum software uses, by schema.org's
 * text properties, or, where neither yields two posts, by the like-named boxes that hold most of the prose.
 */
export function collectPosts(tree: PageTree, measures: TextMeasures): PageElement[] {
  const proseOf = (posts: readonly PageElement[]) =>
    posts.reduce((sum, post) => sum + measureOf(measures, post).prose, 0);
  const total = measureOf(measures, tree.root).prose;
  const candidates = POST_BODIES.map((pattern) => outermost(tree, (element) => pattern.test(element.label)));
  candidates.push(outermost(tree, (element) => TEXT_PROPERTIES.has(element.attributes.itemprop ?? '')));
  let best: PageElement[] = [];
  let bestProse = 0;
  for (const posts of candidates) {
    const prose = proseOf(posts);
    // Earlier patterns are more exact: a later one must hold clearly more.
    if (posts.length < 2 || prose <= bestProse * 1.15) continue;
    best = posts;
    bestProse = prose;
  }
  if (bestProse >= total * 0.3) return best;
  const alike = largestGroup(tree, measures);
  return proseOf(alike) >= total * 0.5 ? alike : [];
}

const TEXT_PROPERTIES = new Set(['text', 'articleBody', 'commentText']);

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

/** At least three boxes of one name (numbers apart) with some prose each; the group with the most prose. */
function largestGroup(tree: PageTree, measures: TextMeasures): PageElement[] {
  const groups = new Map<string, { elements: PageElement[]; prose: number }>();
  for (const element of tree.elements) {
    if (element.removed || element.label === ' ' || element.name === 'p') continue;
    const { prose } = measureOf(measures, element);
    if (prose < 20) continue;
    const key = `${element.name}${element.label.replace(/\d+/g, '#')}`;
    const group = groups.get(key) ?? { elements: [], prose: 0 };
    group.elements.push(element);
    group.prose += prose;
    groups.set(key, group);
  }
  let best: { elements: PageElement[]; prose: number } = { elements: [], prose: 0 };
  for (const group of groups.values()) {
    if (group.elements.length >= 3 && group.prose > best.prose) best = group;
  }
  const members = new Set(best.elements);
  return outermost(tree, (element) => members.has(element));
}
