/** 3 high, 2 medium, 1 low: the class a URL waits in. */
export type UrlPriority = 1 | 2 | 3;

/** Depth up to which a page counts as shallow. */
const SHALLOW_DEPTH = 2;
/** Depth beyond which a page counts as deep: past the middle of the default depth limit of 10. */
const DEEP_DEPTH = 5;

/**
 * The signals overlap, so the first that applies decides:
 *
 * 1. a seed or a homepage is high, however it was found;
 * 2. a paginated page or an archive is low at any depth: with a limited budget, page 7 of a list should not go
 *    before the pages that page 1 lists (and page 1 itself, linked without a number, is not low);
 * 3. depth ≤ 2 is high, depth > 5 is low;
 * 4. the rest, content pages, is medium.
 */
export function urlPriority(url: string, depth: number, isSeed: boolean): UrlPriority {
  if (isSeed) return 3;
  const schemeEnd = url.indexOf('://');
  const pathAt = url.indexOf('/', schemeEnd === -1 ? 0 : schemeEnd + 3);
  if (pathAt === -1 || pathAt === url.length - 1) return 3;

  const pathAndQuery = url.slice(pathAt);
  if (isListing(pathAndQuery)) return 1;
  if (depth <= SHALLOW_DEPTH) return 3;
  return depth > DEEP_DEPTH ? 1 : 2;
}

/** `/page/2`, `/page-2.html`, `/seite/3` and their kin. `/p/2` is left out: shops number products so. */
const PAGINATED_PATH = /\/(?:page|seite|pagina|strona|sida)[/_-]?\d+(?:\.[a-z]+)?(?:[/?]|$)/i;

/** `?p=` is left out: it is also how WordPress numbers posts. */
const PAGINATED_QUERY =
  /[?&](?:page|paged|pg|page_?no|page_?num(?:ber)?|current_?page|offset|start|skip|cursor)=/i;

const ARCHIVE_PATH = /\/(?:archives?|archiv|archivo|archivio)(?:[/?.]|$)/i;

/** A path that ends in its date lists what happened then; `/2024/05/a-post` is the post itself. */
const DATE_LISTING = /(?:^|\/)(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?\/?(?:\?|$)/;
const YEAR_LISTING = /^\/(?:19|20)\d\d\/?(?:\?|$)/;

function isListing(pathAndQuery: string): boolean {
  return (
    PAGINATED_PATH.test(pathAndQuery) ||
    ARCHIVE_PATH.test(pathAndQuery) ||
    DATE_LISTING.test(pathAndQuery) ||
    YEAR_LISTING.test(pathAndQuery) ||
    PAGINATED_QUERY.test(pathAndQuery)
  );
}
