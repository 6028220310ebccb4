/**
 * The robots rules of one domain, per origin (scheme, host, port), as long as they are fresh. RFC 9309
 * lets us keep them a day at most; after that the origin is unknown again and its robots.txt is due.
 */

import type { RobotsAccess } from './robots-access.ts';
import { type RobotsRules, rulesForAgent } from './robots-match.ts';
import { escapeUrlForRobots } from './robots-path.ts';
import { parseRobotsTxt } from './robots-txt.ts';

export interface RobotsReading {
  readonly origin: string;
  readonly access: RobotsAccess;
  readonly httpStatus: number | undefined;
  readonly body: Buffer | undefined;
  /** Why it reads as it does, for a person. */
  readonly note: string | undefined;
  readonly fetchedAt: Date;
  readonly expiresAt: Date;
}

export interface RobotsEntry {
  readonly reading: RobotsReading;
  readonly rules: RobotsRules | undefined;
  readonly crawlDelaySeconds: number | undefined;
  readonly sitemaps: readonly string[];
}

type UrlVerdict = 'allowed' | 'denied' | 'unknown';

/** A domain has a handful of origins; a hostile one must not grow this without end. */
const MAX_ORIGINS = 64;

export class RobotsBook {
  readonly #productToken: string;
  readonly #entries = new Map<string, RobotsEntry>();

  constructor(productToken: string) {
    this.#productToken = productToken;
  }

  enter(reading: RobotsReading): RobotsEntry {
    const entry = readEntry(reading, this.#productToken);
    if (this.#entries.size >= MAX_ORIGINS) {
      const oldest = this.#entries.keys().next().value;
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(reading.origin, entry);
    return entry;
  }

  entryFor(origin: string, now: Date): RobotsEntry | undefined {
    const entry = this.#entries.get(origin);
    return entry !== undefined && entry.reading.expiresAt > now ? entry : undefined;
  }

  /** Whether some origin of the domain has answered: then one that cannot be reached is not the whole domain. */
  hasAnswer(now: Date): boolean {
    for (const { reading } of this.#entries.values()) {
      const isAnswer = reading.access === 'parse' || reading.access === 'allow-all';
      if (isAnswer && reading.expiresAt > now) return true;
    }
    return false;
  }

  /** Known to be disallowed; nobody is asked. */
  isDenied(url: string, now: Date): boolean {
    return this.verdict(new URL(url).origin, url, now) === 'denied';
  }

  verdict(origin: string, url: string, now: Date): UrlVerdict {
    const entry = this.entryFor(origin, now);
    if (entry === undefined) return 'unknown';
    switch (entry.reading.access) {
      case 'allow-all':
        return 'allowed';
      case 'parse':
        return entry.rules === undefined || entry.rules.verdict(escapeUrlForRobots(url)).allowed
          ? 'allowed'
          : 'denied';
      case 'disallow-all':
      case 'defer':
        return 'denied';
    }
  }
}

export function readEntry(reading: RobotsReading, productToken: string): RobotsEntry {
  if (reading.access !== 'parse' || reading.body === undefined) {
    return { reading, rules: undefined, crawlDelaySeconds: undefined, sitemaps: [] };
  }
  const robots = parseRobotsTxt(reading.body);
  const rules = rulesForAgent(robots, productToken);
  return { reading, rules, crawlDelaySeconds: rules.crawlDelaySeconds, sitemaps: robots.sitemaps };
}
