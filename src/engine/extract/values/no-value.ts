/** What templates and scripts write where they have nothing to say. */

const LONGEST = 200;
const NOTHING = /^(?:undefined|null|nan|nil|\[object \w+\]|\(?not set\)?|#n\/a)$/i;
/** A place that was never filled in: it is the whole value, or stands where a part of it should be. */
const UNFILLED =
  /\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>|\$\{[^{}]*\}|\[\[[\w .]+\]\]|##\w+##|%%\w+%%|__[A-Z]+_[A-Z_]+__/;

/** Of a long text nothing is asked: a description may speak of anything. */
export function isNoValue(text: string): boolean {
  if (text.length > LONGEST) return false;
  return NOTHING.test(text.trim()) || UNFILLED.test(text);
}
