import { type ContentBlock, paragraphOf } from './content-block.ts';
import { flattenContent } from './flatten-content.ts';
import { stringOf, typesOf } from './json-ld.ts';
import type { PageMetadata } from './page-metadata.ts';
import { parsePageTree } from './page-tree.ts';

/**
 * The text that a page's JSON-LD gives for its article or product, for pages that only draw it with scripts.
 * Some put markup into it, others plain lines.
 */
export function readDeclaredBody(metadata: PageMetadata): ContentBlock[] {
  let longest = '';
  for (const object of metadata.jsonLd) {
    const isProduct = typesOf(object).some((type) => /^Product(?:Group)?$/.test(type));
    const value = isProduct ? object.description : (object.articleBody ?? object.reviewBody ?? object.text);
    if (typeof value === 'string' && value.length > longest.length) longest = value;
    else if (Array.isArray(value)) longest = stringOf(value.join('\n\n')) ?? longest;
  }
  if (/<\/?(?:p|br|div|ul|h\d)\b/i.test(longest)) return flattenContent([parsePageTree(longest).root]);
  return longest
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(paragraphOf);
}
