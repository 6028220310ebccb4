/** Answers for a site's `robots`; see also `hang`, `status` and `redirectTo`. */
import type { Handler } from '../site.ts';
import { typed } from './types.ts';

/** Rules, then comments up to this size, then a rule no parser that stops at its limit will see. */
export function hugeRobots(bytes: number, rules: string): Handler {
  const filler = `# ${'x'.repeat(77)}\n`;
  const padding = filler.repeat(Math.ceil(bytes / filler.length));
  return typed('text/plain', `${rules}\n${padding}\nUser-agent: *\nDisallow: /after-the-limit\n`);
}

/** robots.txt that is really the site's home page, as single-page applications serve it. */
export const htmlAsRobots = typed('text/html', '<!doctype html><title>App</title><div id="app"></div>');
