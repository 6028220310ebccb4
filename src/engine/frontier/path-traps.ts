/** Shapes that only a broken or endless site produces; such links are counted and dropped. */
export type TrapReason = 'repeating-segments' | 'too-many-segments' | 'too-many-parameters' | 'too-long';

/** The sitemap protocol's own limit: no site that wants to be found links to longer pages. */
const MAX_TRAP_LENGTH = 2048;
/** Real trees end well before this; relative links that resolve ever deeper do not. */
const MAX_PATH_SEGMENTS = 20;
/** The busiest search forms carry about a dozen. */
const MAX_QUERY_PARAMETERS = 20;

/** One name in a path: `/en/en/` and `/x/x/x` occur in the wild, a fourth does not. */
const MAX_SAME_SEGMENT = 3;
/** A group of two or more names in a row: `/a/b/a/b` can be real, a third round is a loop. */
const MAX_GROUP_ROUNDS = 2;

/**
 * Why a URL looks like a trap, or undefined. Cheap limits first.
 *
 * Repetition is a relative link that resolves one level deeper each time, so the same names come round again,
 * side by side (`/a/b/a/b/a/b`) or between changing ones (`/shop/x/shop/y/shop/z/shop`). Segments of digits
 * prove nothing (dates, map tiles, sharded ids repeat honestly): a path of numbers alone ends at the limit on
 * segments.
 */
export function trapReason(url: string): TrapReason | undefined {
  if (url.length > MAX_TRAP_LENGTH) return 'too-long';
  const schemeEnd = url.indexOf('://');
  const pathAt = url.indexOf('/', schemeEnd === -1 ? 0 : schemeEnd + 3);
  if (pathAt === -1) return undefined;

  const questionAt = url.indexOf('?', pathAt);
  const pathEnd = questionAt === -1 ? url.length : questionAt;
  if (questionAt !== -1 && countParameters(url, questionAt) > MAX_QUERY_PARAMETERS)
    return 'too-many-parameters';

  const slashCount = countChar(url, SLASH, pathAt, pathEnd);
  if (slashCount <= MAX_SAME_SEGMENT) return undefined;
  const segments = url.slice(pathAt + 1, pathEnd).split('/');
  // A trailing slash ends the last segment, it does not start another.
  if (segments.at(-1) === '') segments.pop();
  if (segments.length > MAX_PATH_SEGMENTS) return 'too-many-segments';
  return repeatsSegment(segments) || repeatsGroup(segments) ? 'repeating-segments' : undefined;
}

const SLASH = 0x2f;
const AMPERSAND = 0x26;
const DIGITS_ONLY = /^\d+$/;

function countChar(text: string, char: number, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) {
    if (text.charCodeAt(index) === char) count++;
  }
  return count;
}

function countParameters(url: string, questionAt: number): number {
  return countChar(url, AMPERSAND, questionAt, url.length) + 1;
}

function repeatsSegment(segments: readonly string[]): boolean {
  // Both loops are bounded by MAX_PATH_SEGMENTS; a map would cost more than it saves.
  for (let first = 0; first + MAX_SAME_SEGMENT < segments.length; first++) {
    const segment = segments[first];
    if (segment === undefined) break;
    let count = 1;
    for (let other = first + 1; other < segments.length; other++) {
      if (segments[other] === segment) count++;
    }
    if (count > MAX_SAME_SEGMENT && !DIGITS_ONLY.test(segment)) return true;
  }
  return false;
}

function repeatsGroup(segments: readonly string[]): boolean {
  const rounds = MAX_GROUP_ROUNDS + 1;
  for (let size = 2; size * rounds <= segments.length; size++) {
    // Length of the stretch in which each segment equals the one `size` places on.
    let matched = 0;
    for (let index = 0; index + size < segments.length; index++) {
      matched = segments[index] === segments[index + size] ? matched + 1 : 0;
      if (matched < size * MAX_GROUP_ROUNDS) continue;
      const group = segments.slice(index + 1, index + 1 + size);
      if (!group.every((segment) => DIGITS_ONLY.test(segment))) return true;
    }
  }
  return false;
}
