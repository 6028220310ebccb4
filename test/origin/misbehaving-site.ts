/** One site with everything that can go wrong on it, one path each: what a crawl must survive as a whole. */
import { cacheable } from './behaviours/caching.ts';
import { cyrillicAsUtf8, japaneseAsUtf8, metaDisagrees, metaOnly } from './behaviours/charsets.ts';
import * as encodings from './behaviours/encodings.ts';
import * as markup from './behaviours/markup.ts';
import * as raw from './behaviours/raw.ts';
import * as redirects from './behaviours/redirects.ts';
import * as slow from './behaviours/slow.ts';
import { hugeError, status, tooManyRequests, unavailable } from './behaviours/statuses.ts';
import * as traps from './behaviours/traps.ts';
import * as types from './behaviours/types.ts';
import { htmlPage, type SiteDefinition, type SitePages } from './site.ts';

const HELLO = htmlPage('Hello', [], 'A page that arrives whole.');

const misbehaviours: SitePages = {
  '/slow-headers': slow.slowHeaders(),
  '/hang': slow.hang,
  '/drip-body': slow.dripBody(),
  '/stall-body': slow.stallBody,
  '/endless-body': slow.endlessBody,

  '/drop-before-headers': raw.dropBeforeHeaders,
  '/reset-before-headers': raw.resetBeforeHeaders,
  '/drop-mid-headers': raw.dropMidHeaders,
  '/drop-mid-body': raw.dropMidBody,
  '/reset-mid-body': raw.resetMidBody,
  '/short-body': raw.shortBody,
  '/long-body': raw.longBody,
  '/negative-length': raw.negativeLength,
  '/two-lengths': raw.twoLengths,
  '/until-close': raw.untilClose,
  '/not-http': raw.notHttp,
  '/bare-html': raw.bareHtml,
  '/bad-chunk-size': raw.badChunkSize,
  '/bad-status-line': raw.badStatusLine,
  '/invalid-header-name': raw.invalidHeaderName,
  '/invalid-header-bytes': raw.invalidHeaderBytes,
  '/high-header-bytes': raw.highHeaderBytes,
  '/early-hints': raw.earlyHints,
  '/header-flood': raw.headerFlood,

  '/gzip': encodings.gzipped(HELLO),
  '/gzip-bomb': encodings.gzipBomb(),
  '/nested-gzip-bomb': encodings.nestedGzipBomb(),
  '/brotli-bomb': encodings.brotliBomb(),
  '/endless-gzip': encodings.endlessGzip,
  '/deep-gzip': encodings.gzippedDeep(HELLO, 8),
  '/not-gzip': encodings.notGzip,
  '/empty-gzip': encodings.emptyGzip,
  '/corrupt-gzip': encodings.corruptGzip(),
  '/truncated-gzip': encodings.truncatedGzip(HELLO),
  '/unknown-encoding': encodings.unknownEncoding,

  '/redirect-loop': redirects.redirectTo('/redirect-loop'),
  '/redirect-ping': redirects.redirectTo('/redirect-pong'),
  '/redirect-pong': redirects.redirectTo('/redirect-ping'),
  '/redirect-chain/*': redirects.redirectChain,
  '/redirect-metadata': redirects.redirectTo('http://169.254.169.254/latest/meta-data/'),
  '/redirect-private': redirects.redirectTo('http://10.0.0.1/'),
  '/redirect-file': redirects.redirectTo('file:///etc/passwd'),
  '/redirect-nowhere': redirects.redirectWithoutLocation,
  '/redirect-unparsable': redirects.redirectTo('http://[half/'),
  '/redirect-endless-body': redirects.redirectWithEndlessBody,

  '/throttled': tooManyRequests({ retryAfter: '1', clearsAfter: 1 }),
  '/unavailable': unavailable({ clearsAfter: 1 }),
  '/gone': status(410),
  '/forbidden': status(403),
  '/huge-error': hugeError,

  '/pdf': types.pdf,
  '/image': types.image,
  '/image-as-html': types.imageAsHtml,
  '/untyped': types.untypedHtml,
  '/untyped-binary': types.untypedBinary,
  '/endless-video': types.endlessVideo,
  '/empty': types.emptyPage,
  '/huge-page': types.hugePage(),

  '/cacheable': cacheable(HELLO, { etag: '"v1"', lastModified: 'Tue, 01 Oct 2024 10:00:00 GMT' }),
  '/cyrillic-as-utf8': cyrillicAsUtf8,
  '/japanese-as-utf8': japaneseAsUtf8,
  '/meta-disagrees': metaDisagrees,
  '/meta-only': metaOnly,
  '/broken-html': markup.brokenHtml,
  '/deeply-nested': markup.deeplyNested(),
  '/noindex': markup.noindexPage,
  '/nofollow': markup.nofollowPage,
  '/noarchive': markup.noarchivePage,
  '/robots-tag': markup.withRobotsTag('noindex', 'ForagerBot: nofollow'),

  '/calendar/*': traps.infiniteCalendar,
  '/session/*': traps.sessionLinks(),
  '/facets': traps.facetExplosion,
  '/growing/*': traps.growingPath,
  '/many-links': traps.manyLinks(200_000),
  '/million-links': traps.manyLinks(1_000_000),
};

/** `/` links to every misbehaviour (or to those given) and to one good page. */
export function misbehavingSite(paths: readonly string[] = Object.keys(misbehaviours)): SiteDefinition {
  const links = paths.map((path) => path.replace('*', path.startsWith('/calendar') ? '2024/1' : '3'));
  return { pages: { ...misbehaviours, '/': htmlPage('Everything', [...links, '/good']), '/good': HELLO } };
}
