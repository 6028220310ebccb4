/** What a crawl is told: resolved values, no defaults and no environment in here. */
import type { ImagesMode } from './visit.ts';

export interface CrawlSettings {
  readonly userAgent: string;
  /** The part of the user agent that robots.txt groups are matched against. */
  readonly productToken: string;
  readonly delayMs: number;
  readonly maxConcurrentPerDomain: number;
  readonly maxInFlight: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
  readonly maxRedirects: number;
  readonly maxRetries: number;
  readonly maxLinksPerPage: number;
  /** Which images are wanted of domains that do not say it themselves. */
  readonly imagesMode: ImagesMode;
  /** Somebody has asked for it on this occasion: whatever the domains say. */
  readonly isImagesModeAsked?: boolean;
  /** A larger image is not read to its end. */
  readonly maxImageBytes: number;
  readonly maxImagesPerPage: number;
  /** robots.txt may ask for a longer delay than ours, up to this. */
  readonly maxCrawlDelayMs: number;
  /** A domain that asks for a longer rest than this is given back instead of waited for. */
  readonly maxHoldMs: number;
  readonly leaseMs: number;
  readonly maxDomains: number;
  readonly batchPages: number;
  readonly batchMs: number;
  readonly respectRobots: boolean;
  readonly readSitemaps: boolean;
  readonly stripTrailingSlash: boolean;
  /** Domains are claimed by score; otherwise in the order in which they were named. */
  readonly isClaimedByScore: boolean;
  /** Budgets are divided among domains. */
  readonly isBudgetFair: boolean;
  /** Yields, error rates and scores are kept up to date. */
  readonly isDomainTracked: boolean;
  readonly refresh: RefreshSettings;
  /** Pages that were ordered are kept and left to parsers. */
  readonly isParsingLeft?: boolean;
  /** False: a task that is redirected to a domain nobody has named ends there. */
  readonly mayAddTaskDomains?: boolean;
}

/** When known pages are read again. */
export interface RefreshSettings {
  readonly isOn: boolean;
  /** From the first reading to the second; after that the page's own changes decide. */
  readonly firstSeconds: number;
  readonly floorSeconds: number;
  readonly ceilingSeconds: number;
  /** How often a page must be missing, on a domain that answers, before it counts as gone. */
  readonly goneAfterMisses: number;
}
