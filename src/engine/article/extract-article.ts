import type { Article, ArticleKind } from './article.ts';
import { chooseDocument, chooseProse, chooseRegion, findStandfirst, withKindred } from './choose-content.ts';
import { collectPosts } from './collect-posts.ts';
import { type ContentBlock, headingOf, textOfBlock } from './content-block.ts';
import { readDeclaredBody } from './declared-body.ts';
import { detectKind } from './detect-kind.ts';
import { filterBlocks } from './filter-blocks.ts';
import { flattenContent } from './flatten-content.ts';
import { measureOf, measureText } from './measure-text.ts';
import { type PageMetadata, readMetadata } from './page-metadata.ts';
import { normalizeTitle } from './page-title.ts';
import { type PageElement, type PageTree, parsePageTree } from './page-tree.ts';
import { pruneContent } from './prune-content.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderText } from './render-text.ts';
import { type StripStrength, stripBoilerplate } from './strip-boilerplate.ts';

/**
 * The readable part of a page as text and Markdown. Reads the page once with all its rules; where that leaves
 * suspiciously little of what a visitor sees, again with fewer of them, so that a page with text never
 * comes out empty.
 */
export function extractArticle(html: string, url: string): Article {
  const tree = parsePageTree(html);
  const metadata = readMetadata(tree, url);
  stripBoilerplate(tree, 'other', 'code');
  const seen = measureText(tree);
  const visible = measureOf(seen, tree.root);
  const detected = detectKind(tree, seen, metadata, url);
  const kind = detected.isCertain ? detected.kind : confirmKind(tree, detected.kind);
  let blocks: ContentBlock[] = [];
  let text = '';
  for (const strength of LADDER) {
    restoreAll(tree);
    stripBoilerplate(tree, kind, strength);
    blocks = readBlocks(tree, kind, metadata);
    text = renderText(blocks);
    if (text.length >= Math.min(MIN_TEXT, visible.text * 0.5) && text.length >= visible.prose * 0.15) break;
  }
  if (text.length < MIN_TEXT || text.length < visible.prose * 0.15) {
    const declared = readDeclaredBody(metadata);
    const declaredText = renderText(declared);
    if (declaredText.length > text.length * 4) {
      blocks = declared;
      text = declaredText;
    }
  }
  return describe(metadata, kind, text, renderMarkdown(blocks, metadata.title, metadata.baseUrl));
}

/** An article has its prose in one place; a page whose prose lies scattered over boxes is something else. */
function confirmKind(tree: PageTree, kind: ArticleKind): ArticleKind {
  if (kind !== 'article') return kind;
  restoreAll(tree);
  stripBoilerplate(tree, kind, 'names');
  const { coverage, purity } = chooseProse(tree, measureText(tree));
  return coverage >= 0.55 && purity >= 0.45 ? 'article' : 'other';
}

function restoreAll(tree: PageTree): void {
  for (const element of tree.elements) element.removed = false;
}

const LADDER: readonly StripStrength[] = ['names', 'structure', 'code'];
/** A result shorter than this is doubted unless the page has hardly more to see. */
const MIN_TEXT = 200;

function readBlocks(tree: PageTree, kind: ArticleKind, metadata: PageMetadata): ContentBlock[] {
  const blocks = filterBlocks(flattenContent(chooseRoots(tree, kind)), kind, metadata.title);
  return kind === 'product' ? ensureName(blocks, metadata.title) : blocks;
}

/** The name of a product belongs to its text even where it stands in the page's header. */
function ensureName(blocks: ContentBlock[], name: string): ContentBlock[] {
  const wanted = normalizeTitle(name);
  if (wanted === '' || blocks.length === 0) return blocks;
  const isNamed = blocks.some((block) => normalizeTitle(textOfBlock(block)).includes(wanted));
  return isNamed ? blocks : [headingOf(name), ...blocks];
}

function chooseRoots(tree: PageTree, kind: ArticleKind): PageElement[] {
  const measures = measureText(tree);
  if (kind === 'forum') {
    const posts = collectPosts(tree, measures);
    if (posts.length > 0) return posts;
  }
  if (kind === 'article') {
    const { element } = chooseProse(tree, measures);
    pruneContent(tree, element, measures);
    const standfirst = findStandfirst(tree, element, measures);
    const kindred = withKindred(element, measures);
    return standfirst === undefined || kindred.includes(standfirst) ? kindred : [standfirst, ...kindred];
  }
  if (kind === 'documentation') return [chooseDocument(tree, measures).element];
  return [chooseRegion(tree, measures).element];
}

function describe(metadata: PageMetadata, kind: ArticleKind, text: string, markdown: string): Article {
  const { byline, publishedAt, siteName, language } = metadata;
  const excerpt = metadata.excerpt ?? firstWords(text);
  return {
    title: copyString(metadata.title),
    ...(byline !== undefined && { byline: copyString(byline) }),
    ...(publishedAt !== undefined && { publishedAt: copyString(publishedAt) }),
    ...(siteName !== undefined && { siteName: copyString(siteName) }),
    ...(language !== undefined && { language: copyString(language) }),
    ...(excerpt !== undefined && { excerpt: copyString(excerpt) }),
    text: copyString(text),
    markdown: copyString(markdown),
    kind,
    wordCount: countWords(text),
  };
}

/** The opening of the text, cut at a word, where the page offers no description. */
function firstWords(text: string): string | undefined {
  const paragraph = text.split('\n\n').find((candidate) => candidate.length >= 60);
  if (paragraph === undefined || paragraph.length <= MAX_EXCERPT) return paragraph;
  const cut = paragraph.slice(0, MAX_EXCERPT);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_EXCERPT / 2))}…`;
}

const MAX_EXCERPT = 300;

/** V8 keeps the whole page alive for a slice of it. */
function copyString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Words by Unicode's rules, so that languages without spaces count too. */
function countWords(text: string): number {
  if (!/[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff]/.test(text)) {
    return text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  }
  let count = 0;
  for (const segment of segmenter.segment(text)) if (segment.isWordLike) count += 1;
  return count;
}
