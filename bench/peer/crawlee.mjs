/**
 * Crawlee's CheerioCrawler doing the benchmark's work with its own durable storage: requests and results on
 * disk, every page's title, description, text length and links kept. The settings are the fastest found for
 * it on this work (see ../README.md).
 */
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

const { origins, concurrency } = JSON.parse(process.argv[2] ?? '{}');
log.setLevel(log.LEVELS.ERROR);

const configuration = new Configuration({ persistStorage: true, purgeOnStart: true });
let pages = 0;
let failed = 0;
const startedAt = performance.now();

const crawler = new CheerioCrawler(
  {
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    useSessionPool: false,
    persistCookiesPerSession: false,
    maxRequestRetries: 2,
    async requestHandler({ $, request, enqueueLinks, pushData }) {
      const links = $('a[href]')
        .toArray()
        .map((element) => $(element).attr('href'));
      await enqueueLinks({ strategy: 'same-hostname' });
      await pushData({
        url: request.loadedUrl,
        title: $('title').text(),
        description: $('meta[name=description]').attr('content'),
        textLength: $('body').text().length,
        links,
      });
      pages += 1;
    },
    failedRequestHandler() {
      failed += 1;
    },
  },
  configuration,
);

await crawler.run(origins.map((origin) => `${origin}/`));
process.stdout.write(`${JSON.stringify({ pages, failed, durationMs: performance.now() - startedAt })}\n`);
