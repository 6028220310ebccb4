/**
 * Which of the things a page speaks of is the page's own product.
 *
 * What stands in a list, or is named as related, similar or an accessory, is not, unless it has the page's address and
 * name. A thing that the page calls its main entity is; otherwise the address counts, then the name beside the page's
 * headings. Where nothing tells several products apart, the page is a list of them, and has none of its own.
 */
import type { StructuredItem } from '../structured/structured-item.ts';
import { childItems, firstText, hasType, texts, values } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { compareToPage } from './page-urls.ts';
import { compareNames } from './same-text.ts';

export interface ChosenProduct {
  readonly item: StructuredItem;
  /** The group it is a variant of, where one is told: it speaks for all of them. */
  readonly group: StructuredItem | undefined;
  /** Others of the same group that stand beside it on the page. */
  readonly siblings: readonly StructuredItem[];
  /** The same product, described once more: what one leaves out the other may tell. */
  readonly twins: readonly StructuredItem[];
  /** How surely it is the page's: higher is surer. */
  readonly score: number;
}

const PRODUCT_TYPES: ReadonlySet<string> = new Set(
  `product individualproduct productmodel productgroup someproducts dietarysupplement drug vehicle car motorcycle
  motorizedbicycle busorcoach`.split(/\s+/),
);
/** Things that are products where they are offered for sale, and works otherwise. */
const OFFERED_TYPES: ReadonlySet<string> = new Set(
  `book audiobook ebook softwareapplication mobileapplication webapplication videogame musicalbum musicrelease movie
  visualartwork painting sculpture photograph course boat game`.split(/\s+/),
);
/** Those of them that are often free. */
const GIVEN_TYPES: ReadonlySet<string> = new Set(
  'softwareapplication mobileapplication webapplication course book ebook audiobook'.split(' '),
);
const GROUP: ReadonlySet<string> = new Set(['productgroup']);
/** Pages about something: a product in them is only spoken of, unless it is for sale. */
const ARTICLES: ReadonlySet<string> = new Set(
  'article newsarticle blogposting techarticle reportagenewsarticle recipe howto discussionforumposting qapage'.split(
    ' ',
  ),
);
/** What is behind these is another thing than the one that has them. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  `itemListElement isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor hasVariant isVariantOf
  hasOfferCatalog makesOffer owns mentions relatedLink hasPart isPartOf addOn model review reviews
  itemReviewed`.split(/\s+/),
);
/** The same by names that no vocabulary has: `related_products`, `crossSells`. */
const RELATED = /relat|similar|recommend|accessor|upsell|cross-?_?sell/i;
/** Unless it also stands on the page by itself: a group beside its variants, a product beside its reviews. */
const OFTEN_OWN: ReadonlySet<string> = new Set(['isVariantOf', 'itemReviewed']);

const OFFER: ReadonlySet<string> = new Set(['offer', 'offering']);
const OFFERING_NAMES = ['offers', 'offerDetails', 'price', 'hasVariant', 'priceSpecification'];

const MAIN_ENTITY_SCORE = 100;
const EXACT_URL_SCORE = 50;
const PATH_SCORE = 40;
const SAME_NAME_SCORE = 30;
const WITHIN_NAME_SCORE = 15;
const ELSEWHERE_SCORE = -60;
const PRICE_SCORE = 5;
/** Products that nothing tells apart: two may be one and its companion, three are a list. */
const MAX_ALIKE = 2;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50_000;

interface Candidate {
  readonly item: StructuredItem;
  readonly score: number;
}

export function chooseProduct(
  items: readonly StructuredItem[],
  context: PageContext,
): ChosenProduct | undefined {
  const found = findItems(items);
  const candidates: Candidate[] = [];
  for (const item of found.all) {
    if (isProduct(item)) candidates.push({ item, score: scoreOf(item, found, context) });
  }
  if (candidates.length === 0) candidates.push(...bareOffers(items));
  const best = pickBest(candidates);
  if (best === undefined) return undefined;
  const isArticle = items.some((item) => hasType(item, ARTICLES));
  if (isArticle && !isOffered(best.item) && best.score < MAIN_ENTITY_SCORE) return undefined;
  return withGroup(groupBeside(best, candidates, context) ?? best, candidates, context);
}

/**
 * The group of a variant, where both stand on the page with others of it: the page is about all of them, unless the
 * variant has the page's own address or name.
 */
function groupBeside(
  { item, score }: Candidate,
  candidates: readonly Candidate[],
  context: PageContext,
): Candidate | undefined {
  if (hasType(item, GROUP)) return undefined;
  const isGroup = (other: Candidate): boolean =>
    hasType(other.item, GROUP) && other.score >= 0 && variantsBeside(other.item, candidates).includes(item);
  const group = candidates.find(isGroup)?.item;
  if (group === undefined || variantsBeside(group, candidates).length < 2) return undefined;
  if (texts(group, 'url').length > 0 || urlScore(item, context) === EXACT_URL_SCORE) return undefined;
  return nameScore(item, context) > nameScore(group, context) ? undefined : { item: group, score };
}

/** Nothing but an offer, which has a name and a price itself: what is offered is named by it. */
function bareOffers(items: readonly StructuredItem[]): Candidate[] {
  const offers = items.filter((item) => hasType(item, OFFER) && item.properties.has('name'));
  return offers.filter(isOffered).map((item) => ({ item, score: 0 }));
}

interface FoundItems {
  readonly all: ReadonlySet<StructuredItem>;
  readonly elsewhere: ReadonlySet<StructuredItem>;
  readonly main: ReadonlySet<StructuredItem>;
}

/** Everything that can be reached, once; and what is reached as something else's list or relation. */
function findItems(items: readonly StructuredItem[]): FoundItems {
  const all = new Set<StructuredItem>();
  const elsewhere = new Set<StructuredItem>();
  const main = new Set<StructuredItem>();
  const top = new Set(items);
  const visit = (item: StructuredItem, depth: number, isElsewhere: boolean): void => {
    if (isElsewhere) elsewhere.add(item);
    if (all.has(item) || all.size >= MAX_ITEMS) return;
    all.add(item);
    if (depth >= MAX_DEPTH) return;
    // What is for sale itself is not the cover of another product.
    const isWhole = hasType(item, PRODUCT_TYPES) && isOffered(item);
    for (const [name, values] of item.properties) {
      const isOther = isElsewhere || ELSEWHERE.has(name) || RELATED.test(name);
      for (const value of values) {
        if (typeof value === 'string') continue;
        if (name === 'mainEntity') main.add(value);
        const isAnother = isOther || (isWhole && hasType(value, PRODUCT_TYPES));
        visit(value, depth + 1, isAnother && !(OFTEN_OWN.has(name) && top.has(value)));
      }
    }
  };
  for (const item of items) visit(item, 0, false);
  return { all, elsewhere, main };
}

function isProduct(item: StructuredItem): boolean {
  if (hasType(item, PRODUCT_TYPES)) return item.properties.size > 0;
  return hasType(item, OFFERED_TYPES) && isOffered(item);
}

/** Such works are given away; a price of nothing for a thing is one that was not entered. */
export function mayBeFree(item: StructuredItem): boolean {
  return hasType(item, GIVEN_TYPES) && !hasType(item, PRODUCT_TYPES);
}

function isOffered(item: StructuredItem): boolean {
  return OFFERING_NAMES.some((name) => item.properties.has(name));
}

function scoreOf(item: StructuredItem, found: FoundItems, context: PageContext): number {
  let score = 0;
  if (found.main.has(item)) score += MAIN_ENTITY_SCORE;
  if (found.elsewhere.has(item)) score += ELSEWHERE_SCORE;
  score += urlScore(item, context);
  score += nameScore(item, context);
  if (isOffered(item)) score += PRICE_SCORE;
  return score;
}

function urlScore(item: StructuredItem, context: PageContext): number {
  const page = childItems(item, 'mainEntityOfPage')[0];
  const said = [...texts(item, 'url'), ...texts(item, 'mainEntityOfPage'), item.id, page?.id];
  const offers = childItems(item, 'offers');
  if (offers.length === 1 && offers[0] !== undefined) said.push(firstText(offers[0], 'url'));
  let best = 0;
  for (const url of said) {
    if (url === undefined) continue;
    const sameness = compareToPage(url, context.url, context.baseUrl);
    if (sameness === 'exact') return EXACT_URL_SCORE;
    if (sameness === 'path') best = PATH_SCORE;
  }
  return best;
}

function nameScore(item: StructuredItem, context: PageContext): number {
  const name = firstText(item, 'name');
  if (name === undefined) return 0;
  // Headings have to be looked for in the whole page.
  const inHead = titleScore(name, context.headTitles);
  return inHead === SAME_NAME_SCORE ? inHead : titleScore(name, context.titles);
}

function titleScore(name: string, titles: readonly string[]): number {
  let best = 0;
  for (const title of titles) {
    const likeness = compareNames(name, title);
    if (likeness === 'same') return SAME_NAME_SCORE;
    if (likeness === 'within') best = WITHIN_NAME_SCORE;
  }
  return best;
}

function pickBest(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates)
    if (best === undefined || candidate.score > best.score) best = candidate;
  if (best === undefined || best.score < 0) return undefined;
  const { score } = best;
  // Even an address tells nothing apart where a careless template has put it on each of many.
  const alike = countThings(candidates.filter((other) => other.score === score));
  if (score >= SAME_NAME_SCORE) return alike <= MAX_ALIKE ? best : undefined;
  if (score >= WITHIN_NAME_SCORE && alike === 1) return best;
  const possible = candidates.filter((other) => other.score >= 0);
  if (countThings(possible) <= MAX_ALIKE) return best;
  // The only one that is for sale, beside others that are just named.
  const offered = possible.filter((other) => isOffered(other.item));
  return countThings(offered) === 1 ? offered[0] : undefined;
}

/** How many different products: variants of one group are one. */
function countThings(candidates: readonly Candidate[]): number {
  return new Set(candidates.map(({ item }) => groupIdOf(item))).size;
}

function groupIdOf(item: StructuredItem): unknown {
  const group = childItems(item, 'isVariantOf')[0];
  return (
    firstText(item, 'inProductGroupWithID', 'productGroupID') ??
    (group === undefined ? undefined : (firstText(group, 'productGroupID') ?? group.id ?? group)) ??
    firstText(item, 'name') ??
    item
  );
}

function withGroup(best: Candidate, candidates: readonly Candidate[], context: PageContext): ChosenProduct {
  const { item, score } = best;
  if (hasType(item, GROUP) || values(item, 'hasVariant').length > 0) {
    const variant = ownVariant(item, context);
    return variant === undefined
      ? { item, group: undefined, siblings: variantsBeside(item, candidates), twins: [], score }
      : { item: variant, group: item, siblings: [], twins: [], score };
  }
  const id = groupIdOf(item);
  const groups = candidates.filter((other) => hasType(other.item, GROUP) && groupIdOf(other.item) === id);
  const group = childItems(item, 'isVariantOf')[0] ?? groups[0]?.item;
  const hasGroupId = firstText(item, 'inProductGroupWithID') !== undefined || group !== undefined;
  const siblings = hasGroupId
    ? candidates
        .map((other) => other.item)
        .filter((other) => !hasType(other, GROUP) && groupIdOf(other) === id)
    : [];
  const twins = hasGroupId ? [] : candidates.filter((other) => other.item !== item && isTwin(other, item));
  return {
    item,
    group,
    siblings: siblings.length > 1 ? siblings : [],
    twins: twins.map((twin) => twin.item),
    score,
  };
}

/** Variants that name the group, where it does not name them. */
function variantsBeside(group: StructuredItem, candidates: readonly Candidate[]): StructuredItem[] {
  if (values(group, 'hasVariant').length > 0) return [];
  const id = firstText(group, 'productGroupID');
  return candidates
    .map((candidate) => candidate.item)
    .filter(
      (item) =>
        item !== group &&
        (childItems(item, 'isVariantOf').includes(group) ||
          (id !== undefined && firstText(item, 'inProductGroupWithID') === id)),
    );
}

function isTwin({ item, score }: Candidate, of: StructuredItem): boolean {
  const name = firstText(of, 'name');
  return score >= 0 && name !== undefined && compareNames(name, firstText(item, 'name') ?? '') === 'same';
}

/** The only variant whose address is this page with its query, where the group's own is another. */
function ownVariant(group: StructuredItem, context: PageContext): StructuredItem | undefined {
  const isExact = (item: StructuredItem): boolean => {
    const offer = childItems(item, 'offers')[0];
    const said = [firstText(item, 'url'), offer === undefined ? undefined : firstText(offer, 'url')];
    return said.some(
      (url) => url !== undefined && compareToPage(url, context.url, context.baseUrl) === 'exact',
    );
  };
  if (texts(group, 'url').some((url) => compareToPage(url, context.url, context.baseUrl) === 'exact'))
    return undefined;
  const own = childItems(group, 'hasVariant').filter((item) => item.properties.has('name') && isExact(item));
  return own.length === 1 ? own[0] : undefined;
}
