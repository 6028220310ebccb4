import type { ArticleKind } from './article.ts';
import * as names from './boilerplate-names.ts';
import { linkDensity, measureOf, measureText, type TextMeasure, type TextMeasures } from './measure-text.ts';
import { findAncestor, INLINE_ELEMENTS, type PageElement, type PageTree } from './page-tree.ts';

/**
 * How much is taken away: `code` leaves whatever a reader could see, `structure` also takes what HTML itself
 * calls navigation, `names` also what classes and ids call so. A page that ends up too small is read again
 * one step gentler.
 */
export type StripStrength = 'names' | 'structure' | 'code';

export function stripBoilerplate(tree: PageTree, kind: ArticleKind, strength: StripStrength): void {
  stripCode(tree);
  if (strength === 'code') return;
  const measures = measureText(tree);
  stripHidden(tree, measures, kind);
  stripFurniture(tree, measureText(tree), kind, strength);
}

const CODE_ELEMENTS = new Set(
  (
    'script style noscript template svg canvas iframe object embed applet audio video map input select option ' +
    'optgroup datalist textarea progress meter head title meta link base param source track frame frameset ' +
    'noframes annotation dialog'
  ).split(' '),
);

function stripCode(tree: PageTree): void {
  for (const element of tree.elements) {
    if (element.parent?.removed) element.removed = true;
    else if (CODE_ELEMENTS.has(element.name))
      element.removed = element.name !== 'template' || !isShadowRoot(element);
    else if (element.name === 'button') element.removed = !isDisclosure(element);
  }
}

function isShadowRoot(element: PageElement): boolean {
  return element.attributes.shadowrootmode !== undefined || element.attributes.shadowroot !== undefined;
}

/** The question of an accordion is often a button inside a heading. */
function isDisclosure(element: PageElement): boolean {
  return findAncestor(element, (above) => /^(?:h[1-6]|summary|dt)$/.test(above.name), 4) !== undefined;
}

const HIDDEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const HIDDEN_LABEL = / (?:hidden|hide|invisible|off ?screen|is hidden|u hidden) /;
const PANEL_LABEL =
  / (?:tabs?|tab ?(?:pane|panel|content)s?|panels?|accordion\w*|collaps\w*|faqs?|expand\w*|toggle ?content) /;

function stripHidden(tree: PageTree, measures: TextMeasures, kind: ArticleKind): void {
  const total = measureOf(measures, tree.root);
  for (const element of tree.elements) {
    if (element.removed) continue;
    if (element.parent?.removed) {
      element.removed = true;
      continue;
    }
    if (!isHidden(element)) continue;
    // Tabs and accordions hide parts of the content until someone clicks.
    const isPanel = element.attributes.role === 'tabpanel' || PANEL_LABEL.test(element.label);
    if (isPanel && kind !== 'article' && kind !== 'listing') continue;
    const share = measureOf(measures, element).prose / Math.max(1, total.prose);
    if (share < 0.3) element.removed = true;
  }
}

function isHidden(element: PageElement): boolean {
  const { attributes } = element;
  if (attributes.hidden !== undefined || attributes['aria-hidden'] === 'true') return true;
  if (attributes.style !== undefined && HIDDEN_STYLE.test(attributes.style)) return true;
  return HIDDEN_LABEL.test(element.label);
}

function stripFurniture(
  tree: PageTree,
  measures: TextMeasures,
  kind: ArticleKind,
  strength: StripStrength,
): void {
  const total = measureOf(measures, tree.root);
  for (const element of tree.elements) {
    if (element.removed) continue;
    if (element.parent?.removed) {
      element.removed = true;
      continue;
    }
    if (EXEMPT.has(element.name)) continue;
    const structural = structuralLimit(element);
    const limit =
      strength === 'names' ? Math.max(structural, nameLimit(element, kind, measures)) : structural;
    if (limit === 0) continue;
    const measure = measureOf(measures, element);
    const isProsaic = kind === 'article' || kind === 'forum' || kind === 'documentation';
    const proseShare = measure.prose / Math.max(1, total.prose);
    const textShare = measure.text / Math.max(1, total.text);
    // Cards and specifications hardly count as prose: there the bulk of the text has a say, too.
    const share = isProsaic ? proseShare : Math.max(proseShare, textShare * 0.5);
    // What would be left must still be something: a limit of 1 alone would empty short pages.
    if (share < limit && total.prose - measure.prose >= Math.min(250, total.prose * 0.5))
      element.removed = true;
  }
}

const EXEMPT = new Set(['#root', 'html', 'body', 'main']);
const FURNITURE_ROLES = new Set(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist'.split(
    ' ',
  ),
);

/** The share of the page's prose up to which an element is furniture by what HTML says of it; 0: never. */
function structuralLimit(element: PageElement): number {
  const role = element.attributes.role;
  switch (element.name) {
    case 'nav':
    case 'menu':
      return 0.4;
    case 'footer':
      return 0.3;
    case 'aside':
      return names.ADMONITION.test(element.label) ? 0 : 0.35;
    case 'header':
      return isSiteHeader(element) ? 0.2 : 0;
    case 'form':
      return 0.1;
  }
  if (role === 'complementary' && names.ADMONITION.test(element.label)) return 0;
  return role !== undefined && FURNITURE_ROLES.has(role) ? 0.35 : 0;
}

function isSiteHeader(element: PageElement): boolean {
  const isInContent = findAncestor(
    element,
    (above) => above.name === 'article' || above.name === 'main' || above.attributes.role === 'main',
  );
  return isInContent === undefined;
}

/** The same by its class and id. */
function nameLimit(element: PageElement, kind: ArticleKind, measures: TextMeasures): number {
  const { label } = element;
  if (label === ' ') return 0;
  if (names.UNSEEN.test(label) || names.REFERENCE_FURNITURE.test(label)) return 0.25;
  // Inside a line the same words name what the text is about: `<a class="popup">`, `<span class="date">`.
  if (INLINE_ELEMENTS.has(element.name)) return 0;
  const measure = measureOf(measures, element);
  let limit = 0;
  const raise = (pattern: RegExp, to: number) => {
    if (to > limit && pattern.test(label)) limit = to;
  };
  raise(names.CONSENT, 0.3);
  raise(names.PAYWALL, 0.5);
  if (kind !== 'forum' && kind !== 'product') raise(names.COMMENTS, 1);
  if (kind === 'article') raise(names.MEDIA, 0.6);
  if (kind === 'forum') raise(names.POST_FURNITURE, 0.15);
  if (!KEEPS_LABELS.has(kind) && measure.text < 500) raise(names.BYLINE, 0.1);
  if (isParagraph(element, measure)) return limit;
  raise(names.SIDE, 0.35);
  raise(names.CHROME, 0.3);
  raise(names.OVERLAY, 0.25);
  // On a page without one text, boxes called promo or popular are as likely its content as not.
  if (kind === 'other' && linkDensity(measure) < 0.4) return limit;
  if (kind !== 'listing') raise(names.RELATED, 0.3);
  raise(names.ADVERTISING, 0.15);
  raise(names.SHARING, 0.15);
  raise(names.SIGN_UP, 0.15);
  if (kind === 'listing' || kind === 'product' || kind === 'other') raise(names.LISTING_CONTROLS, 0.15);
  return limit;
}

/** Where dates, labels and ratings are part of the content, or have rules of their own. */
const KEEPS_LABELS: ReadonlySet<ArticleKind> = new Set(['listing', 'product', 'forum']);

/** A sentence of its own is text whatever hooks for scripts and advertisements its class holds. */
function isParagraph(element: PageElement, measure: Readonly<TextMeasure>): boolean {
  if (!/^(?:p|h[1-6]|li|blockquote|pre|dd|td)$/.test(element.name)) return false;
  return measure.prose >= 60 && linkDensity(measure) < 0.3;
}
