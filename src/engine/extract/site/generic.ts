import { noProduct, type PageParser } from '../extract-page.ts';

export const GENERIC: PageParser = { name: 'generic', version: '1', extract: () => noProduct(GENERIC) };
