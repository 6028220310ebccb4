import { isLoginPath } from './login-url.ts';
import { countLetterDigitChanges } from './session-ids.ts';

/**
 * The shape of a URL, so that a budget can be kept per shape: `/event/2024/05?view=week` and
 * `/event/2031/11?view=day` are two of very many under `/event/{year}/{month}?view`.
 *
 * Path: numbers become `{n}`, dates `{date}`, `{year-month}` or `{year}/{month}/{day}`, ids `{uuid}`, `{hex}` or
 * `{id}`, long titles `{slug}`; plain words stay, since `/shoes` and `/hats` are different lists and deserve
 * their own budgets. Query: the sorted names, without values; a date is marked (`day={date}`), a name that
 * repeats too (`size*`), and so is the one parameter that says which item is meant (`id={n}`).
 */
export function urlTemplate(key: string): string {
  const schemeEnd = key.indexOf('://');
  const hostAt = schemeEnd === -1 ? 0 : schemeEnd + 3;
  const questionAt = key.indexOf('?', hostAt);
  const pathEnd = questionAt === -1 ? key.length : questionAt;
  const path = templatePath(key.slice(hostAt, pathEnd));
  return questionAt === -1 ? path : `${path}?${templateQuery(key.slice(questionAt + 1))}`;
}

/** Months of three decades, or a year of days. */
export const CALENDAR_BUDGET = 400;
/** Two or more free parameters multiply: filters, sort orders, views. */
export const FACET_BUDGET = 1_000;
export const QUERY_BUDGET = 10_000;
/** `/login?next=…`: every page has its own link to it, and they all lead to the same form. */
export const LOGIN_BUDGET = 10;

/**
 * How many URLs are admitted under a template. Paths are unlimited, because a hundred thousand products under
 * `/product/{n}` are real; what multiplies without end is calendars and combinations of parameters.
 */
export function templateBudget(template: string): number {
  const hostEnd = template.indexOf('/');
  const questionAt = template.indexOf('?');
  const path = template.slice(hostEnd === -1 ? 0 : hostEnd, questionAt === -1 ? undefined : questionAt);
  if (endsInDate(path)) return CALENDAR_BUDGET;
  if (questionAt === -1) {
    return path.includes('{') && CALENDAR_PATH.test(path) ? CALENDAR_BUDGET : Number.POSITIVE_INFINITY;
  }
  if (isLoginPath(path)) return LOGIN_BUDGET;
  const query = template.slice(questionAt + 1);
  if (query.includes('={date}') || CALENDAR_PATH.test(path)) return CALENDAR_BUDGET;
  let facetCount = 0;
  for (const part of query.split('&')) {
    if (part.endsWith('*')) facetCount += 2;
    else if (!part.includes('={')) facetCount++;
  }
  return facetCount >= 2 ? FACET_BUDGET : QUERY_BUDGET;
}

/** A date with no item behind it. `/2024/05/{slug}` is a post: a newspaper has any number of those. */
function endsInDate(path: string): boolean {
  const lastAt = path.lastIndexOf('{');
  return lastAt !== -1 && DATE_PLACEHOLDER.test(path.slice(lastAt));
}
const DATE_PLACEHOLDER = /^\{(?:date|year-month|month|day)\}/;

/** A page called calendar, and whatever numbers and views it puts behind its name; not the events below it. */
const CALENDAR_PATH =
  /\/(?:calendar|kalender|calendrier|calendario|agenda)(?:\.[a-z]+)?(?:\/(?:day|week|month|year|\{[ndmy][a-z-]*\}))*\/?$/i;

function templatePath(hostAndPath: string): string {
  const segments = hostAndPath.split('/');
  let isAfterDate = false;
  for (let index = 1; index < segments.length; index++) {
    const segment = segments[index] ?? '';
    if (YEAR.test(segment)) {
      const hasMonth = MONTH.test(segments[index + 1] ?? '');
      const hasDay = hasMonth && DAY.test(segments[index + 2] ?? '');
      segments[index] = '{year}';
      if (hasMonth) segments[++index] = '{month}';
      if (hasDay) segments[++index] = '{day}';
      isAfterDate ||= hasMonth;
      continue;
    }
    const shape = shapeOf(segment, isAfterDate);
    segments[index] = shape;
    isAfterDate ||= shape === '{date}' || shape === '{year-month}';
  }
  return segments.join('/');
}

// Separators are required: 20240512 is as likely an id, and there are many of those. %2F is a query's slash.
const SEPARATOR = '(?:[-_.]|%2F)';
// Only the years of living memory: the 200 ids under `/product/{n}` that look alike are below any budget.
const YEAR_TEXT = '(?:19|20)\\d\\d';
const MONTH_TEXT = '(?:0?[1-9]|1[0-2])';
const DAY_TEXT = '(?:0?[1-9]|[12]\\d|3[01])';
const YEAR = new RegExp(`^${YEAR_TEXT}$`);
const MONTH = new RegExp(`^${MONTH_TEXT}$`);
const DAY = new RegExp(`^${DAY_TEXT}$`);
const YEAR_MONTH = new RegExp(
  `^(?:${YEAR_TEXT}${SEPARATOR}(?:${MONTH_TEXT}|W\\d\\d)|${MONTH_TEXT}${SEPARATOR}${YEAR_TEXT})$`,
  'i',
);
const FULL_DATE = new RegExp(
  `^(?:${YEAR_TEXT}${SEPARATOR}${MONTH_TEXT}${SEPARATOR}${DAY_TEXT}(?:T.*)?` +
    `|\\d{1,2}${SEPARATOR}\\d{1,2}${SEPARATOR}${YEAR_TEXT})$`,
  'i',
);

const HAS_DIGIT = /\d/;
const DIGITS = /^\d+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{8,}$/i;
const ALPHANUMERIC = /^[0-9a-z]+$/i;
const MIN_ID_LENGTH = 8;
/** An escaped byte's digits are not a number. */
const ESCAPE_OR_NUMBER = /%[0-9A-F]{2}|\d+/gi;

/** Three words name an item more often than a category; a shape per item would be no shape at all. */
const MIN_SLUG_SEPARATORS = 2;
const MIN_SLUG_LENGTH = 25;
/** What follows a date is a post's name even when short, unless it is one plain word (`list`, `feed`). */
const MIN_DATED_SLUG_LENGTH = 13;

function shapeOf(segment: string, isAfterDate: boolean): string {
  if (HAS_DIGIT.test(segment)) {
    if (DIGITS.test(segment)) return '{n}';
    if (FULL_DATE.test(segment)) return '{date}';
    if (YEAR_MONTH.test(segment)) return '{year-month}';
    if (UUID.test(segment)) return '{uuid}';
    if (HEX.test(segment)) return '{hex}';
    if (isMixedId(segment)) return '{id}';
  }
  if (isSlug(segment, isAfterDate)) return '{slug}';
  return replaceNumbers(segment);
}

/** Letters and digits in turns: `dQw4w9WgXcQ`. */
function isMixedId(segment: string): boolean {
  return (
    segment.length >= MIN_ID_LENGTH && ALPHANUMERIC.test(segment) && countLetterDigitChanges(segment) >= 3
  );
}

function isSlug(segment: string, isAfterDate: boolean): boolean {
  if (segment.length >= (isAfterDate ? MIN_DATED_SLUG_LENGTH : MIN_SLUG_LENGTH)) return true;
  const needed = isAfterDate ? 1 : MIN_SLUG_SEPARATORS;
  let separators = 0;
  for (let index = 0; index < segment.length; index++) {
    const code = segment.charCodeAt(index);
    if (code === 0x2d || code === 0x5f) separators++; // - _
  }
  return separators >= needed;
}

function replaceNumbers(text: string): string {
  if (!HAS_DIGIT.test(text)) return text;
  return text.replace(ESCAPE_OR_NUMBER, (match) => (match.charCodeAt(0) === 0x25 ? match : '{n}'));
}

/** Names whose number is a day, month or year. */
const CALENDAR_NAME =
  /^(?:date|day|week|month|year|jahr|monat|woche|datum|from_?date|to_?date|start_?date|end_?date)$/i;
/** Names that say which item a page shows, in the applications that keep it in the query. */
const ITEM_NAME =
  /^(?:id|[a-z_-]*[_-]id|[a-z]+I[dD]|[aptn]id|p|t|sku|ean|gtin|isbn|article|item|node|post|product|thread|topic)$/;

/** Longer names are generated; templates are kept in memory, so they stay short. */
const MAX_NAME_LENGTH = 40;

function templateQuery(query: string): string {
  const parts: string[] = [];
  let hasItem = false;
  // Sorted first, so that which of several candidates is the item does not depend on their order.
  for (const pair of query.split('&').sort()) {
    if (pair === '') continue;
    const equalsAt = pair.indexOf('=');
    const rawName = equalsAt === -1 ? pair : pair.slice(0, equalsAt);
    const value = equalsAt === -1 ? '' : pair.slice(equalsAt + 1);
    const name = rawName.length > MAX_NAME_LENGTH ? '{name}' : replaceNumbers(rawName);
    if (isDateValue(name, value)) parts.push(`${name}={date}`);
    // One item per page: `brand_id=1&colour_id=2` are facets whatever they are called.
    else if (!hasItem && HAS_DIGIT.test(value) && ITEM_NAME.test(name)) {
      hasItem = true;
      parts.push(`${name}={n}`);
    } else parts.push(name);
  }
  return markRepeats(parts.sort()).join('&');
}

function isDateValue(name: string, value: string): boolean {
  if (!HAS_DIGIT.test(value)) return false;
  return FULL_DATE.test(value) || YEAR_MONTH.test(value) || CALENDAR_NAME.test(name);
}

function markRepeats(sortedParts: readonly string[]): string[] {
  const marked: string[] = [];
  for (const part of sortedParts) {
    const last = marked.at(-1);
    if (last === part) marked[marked.length - 1] = `${part}*`;
    else if (last !== `${part}*`) marked.push(part);
  }
  return marked;
}
