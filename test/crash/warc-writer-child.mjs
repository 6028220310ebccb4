/**
 * Writes pages for ever and says after each sync, one JSON line, which of them are promised to be kept.
 * Arguments: compiled modules, archive directory, writer id, segment size. Ends at the first error by printing it.
 */
import { randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const [modules, directory, writerId, maxSegmentBytes] = process.argv.slice(2);
const { createWarcStore } = await import(pathToFileURL(`${modules}/warc-store.js`).href);
const store = await createWarcStore({
  directory,
  writerId,
  owner: `child ${process.pid}`,
  software: 'forager/test',
  maxSegmentBytes: Number(maxSegmentBytes),
});

function makePage(serial) {
  const filler =
    serial % 5 === 0 ? 'the same text again and again '.repeat(100) : randomBytes(3000).toString('hex');
  return `<title>${serial % 5 === 0 ? 'repeat' : serial}</title>${filler}`;
}

async function appendPage(serial) {
  const body = makePage(serial);
  const url = `https://example.com/${writerId}/${serial}`;
  const location = await store.append({
    url,
    fetchedAt: new Date(),
    status: 200,
    headers: ['Content-Type', 'text/html', 'Transfer-Encoding', 'chunked'],
    rawBody: Buffer.from(body),
    remoteAddress: '127.0.0.1',
  });
  return { url, body, location };
}

let serial = 0;
try {
  for (;;) {
    const batch = Array.from({ length: 40 }, () => appendPage(serial++));
    const results = await Promise.allSettled(batch);
    await store.sync();
    console.log(JSON.stringify({ kept: results.map((result) => result.value) }));
  }
} catch (error) {
  const again = await store.append({ url: 'https://example.com/', rawBody: Buffer.alloc(1) }).catch((e) => e);
  console.log(
    JSON.stringify({
      name: error.name,
      code: error.code,
      path: error.path,
      message: error.message,
      again: again.code,
    }),
  );
  await store.close().catch(() => {});
}
