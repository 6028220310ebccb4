/** What the readers of a product know of the page it stands on. */
import { getPublicSuffix } from 'tldts';
import type { PageInput } from '../extract-page.ts';

export interface PageContext {
  readonly url: string;
  readonly baseUrl: string;
  readonly language: string | undefined;
  /** ISO 3166, where the domain tells it: of `shop.co.uk` GB. */
  readonly country: string | undefined;
  /** What the page calls itself: its heading, its title, the title it gives others. */
  readonly titles: readonly string[];
  /** Those of them that are quickly found: in the page's head. */
  readonly headTitles: readonly string[];
  readonly siteName: string | undefined;
}

/** Two letters at the end of a domain that are sold to everybody, and say nothing of a country. */
const EVERYBODYS: ReadonlySet<string> = new Set([
  'io',
  'co',
  'me',
  'tv',
  'ai',
  'cc',
  'fm',
  'gg',
  'to',
  'ly',
  'sh',
  'eu',
]);

/** By origin: pages come in numbers from the same ones, and a suffix is dear to find. */
const knownCountries = new Map<string, string | undefined>();
const MAX_KNOWN = 1000;

export function countryOf(url: string): string | undefined {
  const origin = url.slice(0, url.indexOf('/', 'https://'.length) + 1);
  if (knownCountries.has(origin)) return knownCountries.get(origin);
  const country = readCountry(url);
  if (knownCountries.size >= MAX_KNOWN) knownCountries.clear();
  if (origin !== '') knownCountries.set(Buffer.from(origin).toString(), country);
  return country;
}

function readCountry(url: string): string | undefined {
  const suffix = getPublicSuffix(url)?.split('.').at(-1);
  if (suffix === undefined || suffix.length !== 2 || EVERYBODYS.has(suffix)) return undefined;
  return suffix === 'uk' ? 'GB' : suffix.toUpperCase();
}

/** Titles and country are looked up when somebody asks: most pages nobody asks about. */
export function makeContext(
  { url, baseUrl, language }: PageInput,
  readHeadings: () => readonly string[],
  readHeadTitles: () => readonly string[],
  siteName: string | undefined,
): PageContext {
  let titles: readonly string[] | undefined;
  let headTitles: readonly string[] | undefined;
  let country: string | null | undefined;
  return {
    url,
    baseUrl,
    language,
    siteName,
    get country() {
      if (country === undefined) country = countryOf(url) ?? null;
      return country ?? undefined;
    },
    get titles() {
      titles ??= [...new Set([...readHeadings(), ...this.headTitles])];
      return titles;
    },
    get headTitles() {
      headTitles ??= readHeadTitles();
      return headTitles;
    },
  };
}
