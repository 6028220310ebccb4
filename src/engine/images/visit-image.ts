/**
 * The journey of an image: the same gate, guard and fetch as a page's, but what comes back is read as an image or not
 * at all. Its bytes are in the blob store before the batch that names them is written; no page is made of it, and
 * nothing is looked for in it.
 */
import { now } from '../../platform/clock.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { DomainSession } from '../domain-session.ts';
import type { FetchPage, FetchResult } from '../fetch/fetch-result.ts';
import type { FoundLinks, LinkContext } from '../frontier/find-links.ts';
import { hashUrlKey, normalizeUrl } from '../frontier/normalize-url.ts';
import type { Arrival } from '../journey.ts';
import { makeVisit, validator } from '../make-visit.ts';
import { judgeFetch, type Outcome } from '../outcome.ts';
import type { DueUrl, Visit } from '../visit.ts';
import type { BlobStore } from './blob-store.ts';
import { followImage } from './find-images.ts';
import type { ImageReading } from './image-reading.ts';
import { readImage, refused } from './read-image.ts';

export interface ImageJourney {
  readonly settings: CrawlSettings;
  readonly fetch: FetchPage;
  readonly blobs: BlobStore;
  readonly links: LinkContext;
}

export async function visitImage(
  session: DomainSession,
  due: DueUrl,
  journey: ImageJourney,
): Promise<Arrival> {
  const { settings } = journey;
  const fetchedAt = now();
  const result = await journey.fetch({
    ...{ url: due.url, userAgent: session.userAgent, etag: due.etag, lastModified: due.lastModified },
    ...{ accept: 'image', maxBodyBytes: settings.maxImageBytes, onOversize: 'fail' },
    timeoutMs: settings.requestTimeoutMs,
    repeatDelayMs: session.gate.delayMs,
  });
  const found: FoundLinks = { own: [], foreign: new Map() };
  const outcome = judgeFetch(result, fetchedAt);
  const arrive = (ending: Outcome, more: Partial<Visit> = {}): Arrival => {
    const visit = makeVisit(session, due, ending, fetchedAt, result, undefined);
    return { kind: 'visited', visit: { ...visit, ...more }, found, result };
  };
  if (result.kind === 'redirect') return follow(due, result, journey, found, outcome, arrive);
  if (outcome.kind === 'too-large') {
    const image = refused('too-large', `It is larger than ${settings.maxImageBytes} bytes.`);
    return arrive(toOutcome(image, outcome), { image });
  }
  if (result.kind !== 'response' || outcome.kind !== 'page') return arrive(outcome);
  const image = await keepImage(result.body, journey.blobs);
  const validators = {
    etag: validator(result.headers, 'etag'),
    lastModified: validator(result.headers, 'last-modified'),
  };
  return arrive(toOutcome(image, outcome), image.kind === 'kept' ? { image, ...validators } : { image });
}

/** Rejects where the bytes cannot be stored: the crawl ends there, and what it was about is still due. */
async function keepImage(body: Buffer, blobs: BlobStore): Promise<ImageReading> {
  const { reading, thumbnail } = await readImage(body);
  if (reading.kind === 'refused') return reading;
  // The thumbnail first: whoever finds the original finds both.
  if (thumbnail !== undefined) await blobs.put(reading.contentHash, 'thumbnail', thumbnail);
  await blobs.put(reading.contentHash, 'original', body);
  return reading;
}

function toOutcome(image: ImageReading, outcome: Outcome): Outcome {
  if (image.kind === 'kept') return { ...outcome, kind: 'image' };
  return { ...outcome, kind: 'image-refused', message: `${image.code}: ${image.reason}` };
}

function follow(
  due: DueUrl,
  result: Extract<FetchResult, { kind: 'redirect' }>,
  { settings, links }: ImageJourney,
  found: FoundLinks,
  outcome: Outcome,
  arrive: (ending: Outcome, more?: Partial<Visit>) => Arrival,
): Arrival {
  const loop = (): Arrival => arrive({ ...outcome, kind: 'redirect-loop', message: result.location });
  if (due.redirectCount + 1 > settings.maxRedirects) return loop();
  const target = normalizeUrl(result.location, { stripTrailingSlash: settings.stripTrailingSlash });
  if (target.kind === 'bad') return loop();
  if (hashUrlKey(target.key).equals(due.hash)) {
    if (target.url === due.url) return loop();
    const respelled = { ...due, url: target.url, redirectCount: due.redirectCount + 1 };
    return { kind: 'respelled', due: respelled, result };
  }
  const imageMovedTo = followImage(result.location, due, links, found);
  return imageMovedTo === undefined ? loop() : arrive(outcome, { imageMovedTo });
}
