/** The things that travel through the journey: a lease, a due URL, and what its visit produced. */
import type { Extraction } from './extract/product-fields.ts';
import type { PageImageTarget } from './images/find-images.ts';
import type { ImageReading, PageImage } from './images/image-reading.ts';
import type { Outcome } from './outcome.ts';
import type { BodyLocation } from './store/body-store.ts';
import type { DueTask } from './tasks/due-task.ts';
import type { NamedPage } from './tasks/named-pages.ts';

/** The right to speak to a domain and write about it, as long as the epoch stands. */
export interface Lease {
  readonly domainId: number;
  readonly domain: string;
  readonly parentDomain: string;
  readonly version: number;
}

/** Which images of a domain's pages are fetched. */
export type ImagesMode = 'off' | 'products' | 'all';

/** A URL whose time has come. */
export interface DueUrl {
  readonly hash: Buffer;
  /** The hash as a map key. */
  readonly id: string;
  readonly url: string;
  readonly depth: number;
  readonly priority: number;
  readonly isSeed: boolean;
  readonly redirectCount: number;
  readonly errorCount: number;
  /** From the last visit, if there was one: the server may answer that nothing has changed. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** What is known of it from earlier readings; undefined for one that was never read. */
  readonly known: KnownReading | undefined;
  /** The order it is visited for; undefined: it was found. */
  readonly task?: DueTask | undefined;
  /** What is there is said to be an image: it is read as one, and nothing else. */
  readonly isImage?: boolean;
}

/** A page we have, about to be read again. */
export interface KnownReading {
  readonly contentHash: Buffer | undefined;
  /** Time between its last two readings, as it was planned; undefined before the second. */
  readonly refreshSeconds: number | undefined;
  /** How often in a row it was missing. */
  readonly missCount: number;
}

/** A URL found somewhere, on its way into the frontier. */
export interface Candidate {
  readonly hash: Buffer;
  readonly url: string;
  readonly depth: number;
  readonly priority: number;
  readonly isSeed: boolean;
  readonly redirectCount: number;
  /** The shape it is counted under, when that shape has a budget. */
  readonly template: string | undefined;
  /** A page that was shown as an image, too: the frontier may know it as one. */
  readonly isShown?: boolean;
  readonly isImage?: boolean;
}

/** What is kept of a page, besides its body. */
export interface PageRecord {
  readonly contentType: string | undefined;
  readonly charset: string;
  readonly contentLength: number;
  readonly transferLength: number;
  readonly contentHash: Buffer;
  readonly simhash: bigint;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly canonicalUrl: string | undefined;
  readonly language: string | undefined;
  readonly textLength: number;
  readonly linksCount: number;
  readonly imagesCount: number;
  readonly isNoindex: boolean;
  readonly isNofollow: boolean;
  /** What the parser of the domain says of a product on it; undefined: nobody looked. */
  readonly extraction?: Extraction | undefined;
  /** The images on it that are wanted; undefined: none are. */
  readonly images?: readonly PageImage[] | undefined;
  /** Settles when the body's bytes are in the archive; undefined when bodies are not kept. */
  readonly body: Promise<BodyLocation> | undefined;
}

/** One visit of one URL, ready to be written down. */
export interface Visit {
  readonly lease: Lease;
  readonly due: DueUrl;
  readonly outcome: Outcome;
  readonly fetchedAt: Date;
  readonly durationMs: number;
  /** The proxy it came through; undefined: none. */
  readonly proxyId?: number | undefined;
  readonly bytes: number;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly page: PageRecord | undefined;
  /** Other known pages of the domain were found where they were: one that is missing is missed by itself. */
  readonly isDomainHealthy: boolean;
  /** A redirect on the way of a task, which goes on from there. */
  readonly isStep?: boolean;
  /** Where a task goes on that this domain is not concerned with. */
  readonly movedTo?: string | undefined;
  /** It is fetched and kept; what it says is for a parser to find out. */
  readonly isLeftToParser?: boolean;
  /** The body of one that is left to a parser. */
  readonly keptBody?: Promise<BodyLocation> | undefined;
  /** Of the visit to an image: what came of it. Its bytes are in the blob store already. */
  readonly image?: ImageReading | undefined;
  /** Where an image has moved to: what shows the one shows the other. */
  readonly imageMovedTo?: PageImageTarget | undefined;
  /** Of the visit to a page: images that it shows are wanted. */
  readonly showsImages?: boolean;
  /** Pages that become tasks once the task is done. */
  readonly named?: readonly NamedPage[] | undefined;
}

/** A visit that was never made: robots.txt disallows the URL. */
export function deniedVisit(lease: Lease, due: DueUrl, at: Date, why?: string): Visit {
  return unmadeVisit(lease, due, at, {
    ...{ kind: 'robots-denied', httpStatus: undefined, message: why, holdMs: undefined },
  });
}

/** One that was never made since the domain could not be asked about anything. */
export function unmadeVisit(lease: Lease, due: DueUrl, at: Date, outcome: Outcome): Visit {
  return {
    lease,
    due,
    outcome,
    fetchedAt: at,
    durationMs: 0,
    bytes: 0,
    etag: due.etag,
    lastModified: due.lastModified,
    page: undefined,
    isDomainHealthy: false,
  };
}
