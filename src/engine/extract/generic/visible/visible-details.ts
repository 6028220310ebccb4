/** What else can be read off a product's page: the way to it, its pictures, its numbers, its stars. */
import type { DocumentElement } from '../../document/page-document.ts';
import { LONGEST_CODE, LONGEST_LINE, type MutableFields, note } from '../../product/found-fields.ts';
import type { PageContext } from '../../product/page-context.ts';
import { type Crumb, trimPath } from '../../product/read-category.ts';
import { MAX_IMAGES, makeImage } from '../../product/read-images.ts';
import { compareNames } from '../../product/same-text.ts';
import type { ProductImage } from '../../product-fields.ts';
import { cleanLine } from '../../values/clean-value.ts';
import { readGtin } from '../../values/read-gtin.ts';
import { readCount, readRating } from '../../values/read-rating.ts';
import { codeOf, type PageParts } from './page-parts.ts';

const MAX_AREA_TEXT = 4000;
const SKU_LABEL =
  /(?:\bSKU|\bArt(?:ikel)?[.-]?\s?(?:Nr|Nummer|No)|\bItem (?:no|number|#)|\bProduct (?:code|no|number)|\bBest(?:ell)?[.-]?\s?Nr|\bRéf(?:érence)?|\bReferencia|\bCodice|\bArtikelnummer|\bАртикул)\.?\s*[:#.]?\s*([A-Z0-9][A-Za-z0-9._/-]{1,40})/i;
const GTIN_LABEL = /\b(?:EAN|GTIN|UPC|ISBN|JAN)(?:[- ]?1[0-4]|[- ]?8)?\s*[:#]?\s*([\d][\d -]{6,16}[\dX])/;
const MPN_LABEL =
  /\b(?:MPN|Part (?:no|number)|Herstellernummer|Manufacturer part number)\.?\s*[:#]?\s*([A-Z0-9][A-Za-z0-9._/-]{1,40})/;
const BRAND_CODE = /(?:^|[\s_-])(?:brand|manufacturer|marke|hersteller|marque|marca|merk)(?:$|[\s_-])/i;

export function noteCrumbs(
  fields: MutableFields,
  parts: PageParts,
  context: PageContext,
  name: string,
): void {
  const { crumbs } = parts;
  if (crumbs === undefined) return;
  const { elements } = crumbs.source;
  const inside = elements.slice(crumbs.index + 1, Math.min(crumbs.nextIndex, crumbs.index + 100));
  const items = inside.filter((element) => element.name === 'li');
  const steps: Crumb[] = [];
  for (const element of items.length > 1 ? items : inside.filter((each) => each.name === 'a')) {
    const link =
      element.name === 'a' ? element : inside.find((each) => each.name === 'a' && element.contains(each));
    const text = (link ?? element).text(LONGEST_LINE).replace(/^[\s>›»/|]+|[\s>›»/|]+$/g, '');
    if (text !== '') steps.push({ name: text, url: link?.attribute('href') });
  }
  const path = trimPath(steps, context, name);
  if (path.length > 0) note(fields, 'category', path, 'heuristic', path.join(' > '));
}

export function noteImages(
  fields: MutableFields,
  parts: PageParts,
  area: DocumentElement,
  name: string,
  context: PageContext,
): void {
  const found = new Map<string, ProductImage>();
  let around: DocumentElement | null = area;
  // The gallery is often beside the part with the heading, not in it: one or two steps out.
  for (let step = 0; around !== null && around.name !== 'body' && step < 4 && found.size === 0; step++) {
    for (const image of parts.images) {
      if (around.contains(image)) addImage(found, image, context);
    }
    around = around.parent;
  }
  if (found.size === 0) {
    for (const image of parts.images) {
      if (compareNames(image.attribute('alt') ?? '', name) !== undefined) addImage(found, image, context);
    }
  }
  if (found.size > 0) note(fields, 'images', [...found.values()], 'heuristic');
}

function addImage(found: Map<string, ProductImage>, element: DocumentElement, context: PageContext): void {
  if (found.size >= MAX_IMAGES || isSmall(element)) return;
  const address = bestAddress(element);
  if (address === undefined || /\.svg(?:$|\?)|logo|icon|placeholder|spacer|pixel/i.test(address)) return;
  const image = makeImage(address, element.attribute('alt'), context.baseUrl);
  if (image !== undefined && !found.has(image.url)) found.set(image.url, image);
}

function isSmall(element: DocumentElement): boolean {
  const width = Number(element.attribute('width') ?? Number.NaN);
  const height = Number(element.attribute('height') ?? Number.NaN);
  return width < 80 || height < 80;
}

/** The largest that is named: for the magnifier, of a set, the one that is shown. */
function bestAddress(element: DocumentElement): string | undefined {
  for (const name of ['data-zoom-image', 'data-large_image', 'data-zoom', 'data-full', 'data-original']) {
    const address = element.attribute(name);
    if (address !== undefined && /[/.]/.test(address)) return address;
  }
  const set = element.attribute('srcset') ?? element.attribute('data-srcset');
  const largest = set === undefined ? undefined : largestOf(set);
  const lazy = element.attribute('data-src');
  const shown = element.attribute('src');
  return largest ?? (shown === undefined || shown.startsWith('data:') ? lazy : (lazy ?? shown));
}

function largestOf(set: string): string | undefined {
  let best: { address: string; size: number } | undefined;
  for (const [, address = '', size = '1'] of set
    .slice(0, 10_000)
    .matchAll(/(\S+)(?:\s+([\d.]+)[wx])?\s*(?:,\s|,?$)/g)) {
    if (address.startsWith('data:')) continue;
    if (best === undefined || Number(size) > best.size)
      best = { address: address.replace(/,$/, ''), size: Number(size) };
  }
  return best?.address;
}

export function noteCodes(fields: MutableFields, area: DocumentElement): void {
  const text = area.text(MAX_AREA_TEXT);
  const sku = SKU_LABEL.exec(text);
  if (sku?.[1] !== undefined && /\d/.test(sku[1])) {
    note(fields, 'sku', cleanLine(sku[1], LONGEST_CODE).replace(/[.,]$/, ''), 'heuristic', sku[0]);
  }
  const gtin = GTIN_LABEL.exec(text);
  if (gtin?.[1] !== undefined) note(fields, 'gtin', readGtin(gtin[1]), 'heuristic', gtin[0]);
  const mpn = MPN_LABEL.exec(text);
  if (mpn?.[1] !== undefined) note(fields, 'mpn', cleanLine(mpn[1], LONGEST_CODE), 'heuristic', mpn[0]);
  const { elements } = area.source;
  for (let at = area.index + 1; at < Math.min(area.nextIndex, area.index + 300); at++) {
    const element = elements[at];
    if (element === undefined || !BRAND_CODE.test(codeOf(element))) continue;
    const said = cleanLine(element.text(80).replace(/^[^:：]{0,20}[:：]\s*/, ''), 60);
    if (said === '' || said.length > 50) continue;
    note(fields, 'brand', said, 'heuristic', said);
    return;
  }
}

/** `4.5 out of 5` in a label or in words, and how many reviews there are. */
export function noteStars(fields: MutableFields, area: DocumentElement): void {
  const { elements } = area.source;
  for (let at = area.index + 1; at < Math.min(area.nextIndex, area.index + 300); at++) {
    const element = elements[at];
    if (element === undefined || !/rating|stars?\b|review/i.test(codeOf(element))) continue;
    const text = `${element.attribute('aria-label') ?? ''} ${element.attribute('title') ?? ''} ${element.text(120)}`;
    const stars = /(\d(?:[.,]\d{1,2})?)\s*(?:\/|out of|von|sur|de|su|av|z|из)\s*(5|10)\b/i.exec(text);
    if (stars?.[1] === undefined) continue;
    note(fields, 'rating', readRating(stars[1], { best: stars[2] ?? '5' }), 'heuristic', stars[0]);
    const count =
      /(\d[\d.,' ]*)\s*(?:reviews?|ratings?|customers?|bewertung|avis|reseñas|opinion|recensioni|beoordeling|отзыв)/i.exec(
        text.slice(stars.index + stars[0].length),
      );
    if (count?.[1] !== undefined)
      note(fields, 'reviewCount', readCount(count[1].trim()), 'heuristic', count[0]);
    return;
  }
}
