/** Where a product stands in its shop: from the general to the special, without the front page and the product. */
import type { FieldSource } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { cleanLine } from '../values/clean-value.ts';
import { LONGEST_LINE, type MutableFields, note } from './found-fields.ts';
import { childItems, firstText, texts, values } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { compareToPage, isFrontPage } from './page-urls.ts';
import { compareNames, plainWords } from './same-text.ts';

const MAX_LEVELS = 12;
/** A level is a word or two. */
const LONGEST_LEVEL = 120;
const ARROWS = /\s*(?:>|›|»|→|::)\s*/;
const SLASHES = /\s*\/\s*/;

/** Front pages as breadcrumbs call them, in plain words. */
const FRONT_PAGES: ReadonlySet<string> = new Set(
  `home|home page|homepage|start|startseite|startpagina|hauptseite|zur startseite|accueil|page d accueil|inicio
  |página principal|início|pagina inicial|home pagina|strona glowna|hem|startsida|forside|forsiden|hjem|etusivu|domu
  |uvod|uvodni stranka|domov|kezdolap|fooldal|acasa|pocetna|naslovna|αρχικη|αρχικη σελιδα|главная|главная страница|головна
  |ana sayfa|anasayfa|trang chu|beranda|หนาแรก|首页|首頁|主页|ホーム|トップ|トップページ|top|홈|الرئيسية|הבית|דף הבית|shop|store
  |all products|all categories|produkte|alle produkte|index|main`
    .split('|')
    .map(plainWords),
);

export interface Crumb {
  readonly name: string;
  readonly url: string | undefined;
}

/** A path in words such as `A > B > C` or `A/B`, or a list of them. */
export function noteCategory(
  fields: MutableFields,
  product: StructuredItem,
  breadcrumbs: readonly Crumb[],
  source: FieldSource,
  context: PageContext,
  name: string | undefined,
): void {
  const said = texts(product, 'category');
  const own = trimPath(
    readCategories(said).map((each) => ({ name: each, url: undefined })),
    context,
    undefined,
  );
  const trail = trimPath(breadcrumbs, context, name);
  // One word says less than the way that leads there.
  const isTrail = own.length < 2 && trail.length > 0;
  const path = isTrail ? trail : own;
  if (path.length === 0) return;
  note(fields, 'category', path, source, isTrail ? path.join(' > ') : said.join(', '), isTrail ? 0.95 : 1);
}

function readCategories(said: readonly string[]): string[] {
  const usable = said.filter((text) => !/^https?:/i.test(text) && !/^\d+$/.test(text));
  const paths = usable.slice(0, MAX_LEVELS).map(splitPath);
  // Several paths are several places: the first. Several words are the levels of one.
  const path = paths.find((each) => each.length > 1) ?? paths.map(([only]) => only ?? '');
  return path.filter((each) => each !== '').slice(0, MAX_LEVELS);
}

export function splitPath(text: string): string[] {
  const line = cleanLine(text.replace(/&gt;/g, '>').replace(/>/g, ' › '), LONGEST_LINE * 2);
  const parts = ARROWS.test(line) ? line.split(ARROWS) : line.split(SLASHES);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The steps of a BreadcrumbList, by their positions. */
export function readBreadcrumbs(list: StructuredItem): Crumb[] {
  const steps = values(list, 'itemListElement').filter((value) => typeof value !== 'string');
  const placed = steps.slice(0, 50).map((step, index) => {
    const position = Number(firstText(step, 'position') ?? Number.NaN);
    return { crumb: readCrumb(step), position: Number.isFinite(position) ? position : index };
  });
  placed.sort((one, other) => one.position - other.position);
  return placed.flatMap(({ crumb }) => (crumb === undefined ? [] : [crumb]));
}

function readCrumb(step: StructuredItem): Crumb | undefined {
  const item = childItems(step, 'item')[0];
  const link = values(step, 'item').find((value) => typeof value === 'string');
  const ownName = values(step, 'name').find((value) => typeof value === 'string');
  const itemName = item === undefined ? undefined : firstText(item, 'name', 'title');
  const name = cleanLine(ownName || itemName || firstText(step, 'title') || '', LONGEST_LEVEL);
  if (name === '') return undefined;
  const url = item === undefined ? link : (item.id ?? firstText(item, 'url'));
  return { name, url: url ?? firstText(step, 'url') };
}

/** Without the front page at its beginning and the product at its end. */
export function trimPath(
  crumbs: readonly Crumb[],
  context: PageContext,
  productName: string | undefined,
): string[] {
  let steps = crumbs.slice(0, MAX_LEVELS + 2);
  while (steps[0] !== undefined && isFront(steps[0], context)) steps = steps.slice(1);
  const last = steps.at(-1);
  if (last !== undefined && isProductItself(last, context, productName)) steps = steps.slice(0, -1);
  const names: string[] = [];
  for (const { name } of steps) {
    const clean = cleanLine(name, LONGEST_LEVEL);
    if (clean !== '' && clean !== names.at(-1)) names.push(clean);
  }
  return names.slice(0, MAX_LEVELS);
}

function isFront({ name, url }: Crumb, context: PageContext): boolean {
  const words = plainWords(name);
  if (words === '' || FRONT_PAGES.has(words)) return true;
  if (url !== undefined && isFrontPage(url, context.url)) return true;
  return context.siteName !== undefined && words === plainWords(context.siteName);
}

function isProductItself(
  { name, url }: Crumb,
  context: PageContext,
  productName: string | undefined,
): boolean {
  if (productName === undefined) return false;
  if (compareNames(name, productName) === 'same') return true;
  if (url !== undefined && compareToPage(url, context.url, context.baseUrl) !== undefined) return true;
  // Cut short, as crumbs often are, or longer than the name.
  const words = plainWords(name.replace(/(?:…|\.\.\.)$/, ''));
  const product = plainWords(productName);
  if (words.length >= 12 && product.startsWith(words)) return true;
  return product.length >= 12 && words.startsWith(product);
}
