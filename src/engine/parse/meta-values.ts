/** Small grammars inside attribute values: rel tokens, refresh targets, robots directives, language tags. */

const MAX_LANGUAGE_LENGTH = 35;

/** Lower-case tokens of a space-separated attribute such as rel. */
export function readTokens(value: string): string[] {
  const tokens = value.toLowerCase().split(/[\t\n\f\r ]+/);
  return tokens.filter((token) => token !== '');
}

/** rel values that ask not to vouch for a link. */
export function asksNofollow(rel: string): boolean {
  // Nearly every rel on the web is short and has none of these: a test before splitting.
  if (!/nofollow|ugc|sponsored/i.test(rel)) return false;
  return readTokens(rel).some((token) => token === 'nofollow' || token === 'ugc' || token === 'sponsored');
}

/**
 * The URL of a refresh (HTML standard, "shared declarative refresh steps"); undefined when the value is not
 * a refresh, or asks only for the page to be loaded again.
 */
export function readRefreshUrl(content: string): string | undefined {
  const timed = /^[\t\n\f\r ]*(?:\d+[\d.]*|\.[\d.]*)/.exec(content);
  if (timed === null) return undefined;
  const rest = content.slice(timed[0].length);
  if (rest !== '' && !/^[;,\t\n\f\r ]/.test(rest)) return undefined;
  let target = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, '');
  if (target === '') return undefined;
  const labelled = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(target);
  if (labelled !== null) target = target.slice(labelled[0].length);
  const quote = target[0];
  if (quote === '"' || quote === "'") {
    const close = target.indexOf(quote, 1);
    target = close === -1 ? target.slice(1) : target.slice(1, close);
  }
  target = target.trim();
  return target === '' ? undefined : target;
}

const directive =
  /^(?:all|none|(?:no)?(?:index|follow|archive|cache|snippet|odp|ydir|translate|imageindex|ai|imageai)|noindexembedded|indexifembedded|unavailable_after|max-(?:snippet|image-preview|video-preview))(?![a-z0-9_-])/i;

/** Whether a meta's content reads as robots directives, so that `name` may be a crawler's. */
export function isRobotsDirectives(content: string): boolean {
  return content.split(',', 20).some((part) => directive.test(part.trim()));
}

/** A language tag in lower case with hyphens; undefined for what is not one. */
export function readLanguage(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 200) return undefined;
  const first = value.split(',', 1)[0] ?? '';
  const tag = first.trim().toLowerCase().replaceAll('_', '-');
  if (tag.length > MAX_LANGUAGE_LENGTH || !/^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/.test(tag)) return undefined;
  return tag;
}
