import type { ArticleKind } from './article.ts';
import type { JsonObject } from './json-ld.ts';
import { typesOf } from './json-ld.ts';
import { measureOf, type TextMeasures } from './measure-text.ts';
import type { PageMetadata } from './page-metadata.ts';
import type { PageElement, PageTree } from './page-tree.ts';

/**
 * Evidence is added up per kind: what the page declares weighs most, then the software that made it, then its
 * address, then its shape. The kind with the most evidence wins if it has at least `ENOUGH`; otherwise the
 * balance of prose and short fragments decides between an article and an undeclared page.
 */
export function detectKind(
  tree: PageTree,
  measures: TextMeasures,
  metadata: PageMetadata,
  url: string,
): DetectedKind {
  const evidence = new Map<ArticleKind, number>();
  const add = (kind: ArticleKind, weight: number) => evidence.set(kind, (evidence.get(kind) ?? 0) + weight);
  weighDeclarations(metadata, add);
  weighGenerator(metadata, add);
  weighAddress(url, add);
  weighShape(tree, measures, add);
  let best: ArticleKind = 'other';
  let most = 0;
  for (const [kind, weight] of evidence) {
    if (weight > most) {
      best = kind;
      most = weight;
    }
  }
  if (most >= ENOUGH) return { kind: best, isCertain: true };
  return { kind: readsLikeArticle(tree, measures) ? 'article' : 'other', isCertain: false };
}

export interface DetectedKind {
  readonly kind: ArticleKind;
  /** False where only the amount of prose spoke for an article: a closer look may find otherwise. */
  readonly isCertain: boolean;
}

const ENOUGH = 3;

type Add = (kind: ArticleKind, weight: number) => void;

function weighDeclarations(metadata: PageMetadata, add: Add): void {
  const declared = new Set<ArticleKind>();
  for (const object of metadata.jsonLd) {
    const kind = kindOfTypes(object);
    if (kind !== undefined) declared.add(kind);
  }
  for (const kind of declared) add(kind, kind === 'listing' ? 2 : 3);
  const ogType = metadata.metas.get('og:type')?.toLowerCase() ?? '';
  if (/product/.test(ogType)) add('product', 4);
  else if (/article|blog/.test(ogType)) add('article', 1.5);
  if (
    /\b(?:documentation|docs|api reference|reference manual|user guide|manual page)\b/i.test(
      metadata.documentTitle,
    )
  ) {
    add('documentation', 1.5);
  }
  if (metadata.metas.has('product:price:amount')) add('product', 2);
  if (metadata.metas.has('article:published_time')) add('article', 2);
}

function kindOfTypes(object: JsonObject): ArticleKind | undefined {
  for (const type of typesOf(object)) {
    if (/^(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)$/.test(type)) return 'product';
    if (/^(?:DiscussionForumPosting|QAPage|Question)$/.test(type)) return 'forum';
    if (/^(?:TechArticle|APIReference)$/.test(type)) return 'documentation';
    if (/^(?:CollectionPage|SearchResultsPage|ItemList|OfferCatalog)$/.test(type)) return 'listing';
    if (/(?:Article|Posting|^Recipe|^Report|^HowTo)$/.test(type)) return 'article';
  }
  return undefined;
}

function weighGenerator(metadata: PageMetadata, add: Add): void {
  const generator = metadata.metas.get('generator')?.toLowerCase() ?? '';
  if (/discourse|phpbb|vbulletin|xenforo|mybb|smf|flarum|nodebb|vanilla|invision/.test(generator))
    add('forum', 4);
  if (
    /docusaurus|sphinx|mkdocs|gitbook|vuepress|vitepress|docfx|doxygen|javadoc|mdbook|antora|starlight|readme\.io/.test(
      generator,
    )
  ) {
    add('documentation', 4);
  }
}

function weighAddress(url: string, add: Add): void {
  if (/\/(?:products?|dp|itm|item|p|shop\/[^/]+\/[^/]+)\/[^/]+|\/[^/]+\.html\?(?:sku|variant)=/i.test(url))
    add('product', 1);
  if (
    /\/(?:forums?|threads?|topic|viewtopic|showthread|questions\/\d+|t\/[^/]+\/\d+|discussions?|r\/\w+\/comments)\b|[./](?:forum|community|discuss)\./i.test(
      url,
    )
  )
    add('forum', 1.5);
  if (
    /^https?:\/\/(?:docs?|developers?|api|reference|help|wiki)\.|readthedocs|\/(?:docs?|documentation|reference|manual|api|guides?|handbook)\//i.test(
      url,
    )
  )
    add('documentation', 1.5);
  if (
    /\/(?:category|categories|collections?|tags?|search|archives?|browse|shop|c)(?:\/[^/]*)?\/?(?:\?.*)?$/i.test(
      url,
    )
  )
    add('listing', 1.5);
  if (/\/(?:19|20)\d{2}[/-]\d{1,2}(?:[/-]\d{1,2})?\//.test(url)) add('article', 1);
  if (
    /\/(?:articles?|story|stories|news|blogs?|posts?)\b|\barticle\w*\.(?:html?|php|aspx?|ece)|\/[a-z\d]+(?:-[a-z\d]+){4,}/i.test(
      url,
    )
  ) {
    add('article', 1);
  }
}

/** Only what no comment section of an article is called. */
const POST_LABEL =
  / (?:post ?body|postbody|post ?message ?\w*|vb postcontent|message ?body|message ?content|bb ?wrapper|bbcode|topic ?post|cooked|answer ?cell|question ?cell|js post body|s prose|forum ?post ?\w*|posts?bit\w*|comment ?tree|thread ?message|lia message\w*(?: \w+)?|ips comment\w*|comtr|bbp reply content|rtjson content|usertext ?body|msg \d+ inner|js post content text) /;
const DOCUMENT_LABEL =
  / (?:rst content|theme doc markdown|md content|sphinx ?sidebar\w*|toctree \w+|docs? ?(?:content|wrapper|sidebar|main)|devsite\w*( \w+)?|markdown section|vp doc|book ?body|gitbook\w*|memitem|memdoc|javadoc|rustdoc|docblock|program ?listing|ref ?entry|ref ?sect1|sect1|api ?content|api stability) /;
const CART_LABEL =
  / (?:add ?to ?(?:cart|bag|basket)|addtocart|product ?(?:form|single|main|essential|info main|detail\w*|page|view|summary|meta)|single product|buy ?(?:box|button|now)|pdp\w*) /;

function weighShape(tree: PageTree, measures: TextMeasures, add: Add): void {
  let posts = 0;
  let cards = 0;
  let hasDocument = false;
  let hasCart = false;
  let productItems = 0;
  let code = 0;
  for (const element of tree.elements) {
    const { label, attributes } = element;
    if (POST_LABEL.test(label)) posts += 1;
    if (DOCUMENT_LABEL.test(label)) hasDocument = true;
    if (CART_LABEL.test(label)) hasCart = true;
    if (/\/(?:Product|ProductGroup)$/.test(attributes.itemtype ?? '')) productItems += 1;
    if (/\/(?:DiscussionForumPosting|Answer|Question)$/.test(attributes.itemtype ?? '')) posts += 1;
    if (element.name === 'pre') code += 1;
    if (isCardGroup(element, measures)) cards += 1;
  }
  if (posts >= 2) add('forum', 2.5);
  if (hasDocument) add('documentation', 3);
  if (code >= 3) add('documentation', 1.5);
  if (productItems === 1) add('product', 2.5);
  else if (productItems >= 4) add('listing', 2);
  if (hasCart && productItems < 4 && cards === 0) add('product', 1.5);
  if (cards > 0) add('listing', 1.5);
  weighTemplate(tree, add);
}

/** Shop and content systems name the template of a page on its body. */
function weighTemplate(tree: PageTree, add: Add): void {
  const body = tree.elements.find((element) => element.name === 'body');
  if (body === undefined) return;
  if (
    / (?:single product|template product|product template|catalog product view|page product|product page|product detail) /.test(
      body.label,
    )
  ) {
    add('product', 3);
  }
  if (
    / (?:archive|search results|catalog category view|template collection|tax product cat|post type archive|blog hfeed|page products|home|front ?page|page front) /.test(
      body.label,
    )
  ) {
    add('listing', 2);
  }
  if (
    / (?:single post|post template default|article page|page article|node type (?:article|news|story|blog)) /.test(
      body.label,
    )
  ) {
    add('article', 2);
  }
  if (/ (?:section viewtopic|forum|thread view|question page) /.test(body.label)) add('forum', 2);
}

const CARD_LABEL =
  / (?:products?|cards?|items?|tiles?|results?|teasers?|grid|listings?|entries|posts?|cells?) /;

/** Six or more like siblings that each carry a link and little text. */
function isCardGroup(element: PageElement, measures: TextMeasures): boolean {
  if (element.children.length < 6 || element.name === 'nav' || element.name === 'tbody') return false;
  let alike = 0;
  for (const child of element.children) {
    if (child.type !== 'element' || child.removed || !CARD_LABEL.test(child.label)) continue;
    const measure = measureOf(measures, child);
    if (measure.links > 0 && measure.text > 20 && measure.text < 800) alike += 1;
  }
  return alike >= 6;
}

/** Several paragraphs that make up a good part of the page. */
function readsLikeArticle(tree: PageTree, measures: TextMeasures): boolean {
  const total = measureOf(measures, tree.root);
  return total.paragraphs >= 2 && total.prose >= 100 && total.prose >= total.noise * 0.15;
}
