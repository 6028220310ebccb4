import type { SiteParser } from '../../../parser/site-parser.ts';
import { noProduct, type PageParser } from '../extract-page.ts';

export function makeSiteParser({ name, version }: SiteParser): PageParser {
  return { name, version, extract: () => noProduct({ name, version }) };
}
