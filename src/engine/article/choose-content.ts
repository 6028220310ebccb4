import { CONTENT, RELATED, SIDE, STANDFIRST } from './boilerplate-names.ts';
import { measureOf, type TextMeasures } from './measure-text.ts';
import type { PageElement, PageTree } from './page-tree.ts';

export interface ContentChoice {
  readonly element: PageElement;
  /** Share of the page's living prose inside the element. */
  readonly coverage: number;
  /** Share of prose in the element's own text. */
  readonly purity: number;
}

/**
 * Square of the F-measure's beta: below 1, menus taken along cost more than prose missed. Prose outside the
 * right element is mostly teasers of other articles; of the values tried on real news pages 0.3 did best.
 */
const RECALL_WEIGHT = 0.3;

/**
 * The element that promises the best compromise between missing prose and taking menus along. Every living
 * element is a candidate; its score is the harmonic mean of coverage and purity, tilted by what its name and
 * place say. Unlike a search for the densest paragraph cluster this needs no merging of siblings: a parent
 * whose children all hold prose wins over each of them.
 */
export function chooseProse(
  tree: PageTree,
  measures: TextMeasures,
  recallWeight = RECALL_WEIGHT,
): ContentChoice {
  const total = measureOf(measures, tree.root);
  let best: ContentChoice = { element: tree.root, coverage: 1, purity: 0 };
  let bestScore = 0;
  for (const element of tree.elements) {
    if (element.removed || NEVER_CONTAINERS.has(element.name)) continue;
    const measure = measures.get(element);
    if (measure === undefined || measure.prose === 0) continue;
    const coverage = measure.prose / Math.max(1, total.prose);
    const purity = measure.prose / (measure.prose + measure.noise);
    const balance = ((1 + recallWeight) * coverage * purity) / (recallWeight * purity + coverage);
    const score = balance * priorOf(element);
    // The later of two equals is the deeper one.
    if (score >= bestScore) {
      best = { element, coverage, purity };
      bestScore = score;
    }
  }
  return best;
}

const NEVER_CONTAINERS = new Set(
  'p li h1 h2 h3 h4 h5 h6 pre blockquote a span b i em strong font dd dt tr ul ol dl table tbody'.split(' '),
);

function priorOf(element: PageElement): number {
  const { attributes, label, name } = element;
  let prior = 1;
  const itemprop = attributes.itemprop;
  if (itemprop === 'articleBody' || itemprop === 'text') prior *= 1.3;
  else if (CONTENT.test(label)) prior *= 1.15;
  if (name === 'article') prior *= 1.15;
  else if (name === 'main' || attributes.role === 'main') prior *= 1.08;
  else if (name === 'aside' || name === 'footer' || name === 'header' || name === 'nav') prior *= 0.5;
  else if (name === 'body' || name === 'html' || name === '#root') prior *= 0.93;
  if (SIDE.test(label) || RELATED.test(label)) prior *= 0.7;
  return prior;
}

/**
 * The chosen element together with its kin: content systems break one text into several boxes of one name, and
 * leave the first paragraph outside. In document order.
 */
export function withKindred(chosen: PageElement, measures: TextMeasures): PageElement[] {
  const siblings = chosen.parent?.children ?? [chosen];
  const kindred = siblings.filter(
    (sibling): sibling is PageElement =>
      sibling.type === 'element' &&
      !sibling.removed &&
      (sibling === chosen || isKin(sibling, chosen, measures)),
  );
  return kindred.length === 0 ? [chosen] : kindred;
}

function isKin(sibling: PageElement, chosen: PageElement, measures: TextMeasures): boolean {
  const measure = measureOf(measures, sibling);
  const density = measure.link / Math.max(1, measure.text);
  if (sibling.name === 'p') return measure.text >= 80 && density < 0.2;
  if (sibling.name !== chosen.name || sibling.label !== chosen.label || sibling.label === ' ') return false;
  return measure.prose >= measure.text * 0.3 && density < 0.25;
}

/** The lead-in that stands with the headline, outside the element of the text. */
export function findStandfirst(
  tree: PageTree,
  chosen: PageElement,
  measures: TextMeasures,
): PageElement | undefined {
  for (const element of tree.elements) {
    if (element === chosen) return undefined;
    if (element.removed || !STANDFIRST.test(element.label) || NEVER_STANDFIRST.test(element.name)) continue;
    const measure = measureOf(measures, element);
    if (measure.text >= 40 && measure.text <= 400 && measure.link < measure.text * 0.2) return element;
  }
  return undefined;
}

const NEVER_STANDFIRST = /^(?:a|img|html|body|main|article|header|ul|ol)$/;

/**
 * The part of a page left when its frame is gone, for pages whose content is cards, specifications and short
 * texts rather than prose: go down from the body as long as one child holds nearly all of the text.
 */
export function chooseRegion(tree: PageTree, measures: TextMeasures): ContentChoice {
  const total = measureOf(measures, tree.root);
  let element = tree.root;
  const main = findMain(tree, measures, total.text);
  if (main !== undefined) element = main;
  for (;;) {
    const own = measureOf(measures, element);
    const heavy = element.children.find(
      (child): child is PageElement =>
        child.type === 'element' && !child.removed && measureOf(measures, child).text >= own.text * 0.97,
    );
    if (heavy === undefined || NEVER_CONTAINERS.has(heavy.name)) break;
    element = heavy;
  }
  const measure = measureOf(measures, element);
  return {
    element,
    coverage: measure.text / Math.max(1, total.text),
    purity: measure.prose / Math.max(1, measure.prose + measure.noise),
  };
}

/**
 * Documentation is full of tables, signatures and code that do not read like prose, so the whole region counts,
 * unless what it has beyond the element with the prose is nothing but links: a table of contents.
 */
export function chooseDocument(tree: PageTree, measures: TextMeasures): ContentChoice {
  const region = chooseRegion(tree, measures);
  const prose = chooseProse(tree, measures, 3);
  const whole = measureOf(measures, region.element);
  const part = measureOf(measures, prose.element);
  const beyond = whole.text - part.text;
  if (beyond <= 0 || prose.coverage < 0.9) return region;
  return (whole.link - part.link) / beyond > 0.7 ? prose : region;
}

function findMain(tree: PageTree, measures: TextMeasures, totalText: number): PageElement | undefined {
  let best: PageElement | undefined;
  let bestText = totalText * 0.4;
  for (const element of tree.elements) {
    if (element.removed || !isMain(element)) continue;
    const { text } = measureOf(measures, element);
    if (text <= bestText) continue;
    best = element;
    bestText = text;
  }
  return best;
}

const MAIN_LABEL = / (?:main|main ?content|page ?content|content|primary|content ?area|site ?content) /;

function isMain(element: PageElement): boolean {
  if (element.name === 'main' || element.attributes.role === 'main') return true;
  return (element.name === 'div' || element.name === 'section') && MAIN_LABEL.test(element.label);
}
