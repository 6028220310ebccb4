/** How fast the site answers a client that does nothing with the answers: the ceiling of every figure here. */
import { createConnection } from 'node:net';
import { performance } from 'node:perf_hooks';

const CONNECTIONS_PER_HOST = 4;

export async function measureSiteCapacity(site, requestCount) {
  const connections = site.origins.length * CONNECTIONS_PER_HOST;
  const perConnection = Math.ceil(requestCount / connections);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      readManyPages(
        site,
        index % site.origins.length,
        Math.floor(index / site.origins.length),
        perConnection,
      ),
    ),
  );
  return (connections * perConnection) / ((performance.now() - startedAt) / 1000);
}

function readManyPages(site, host, offset, count) {
  const { hostname, port } = new URL(site.origins[host]);
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  let done = 0;
  let expected = -1;
  let received = 0;

  return new Promise((resolve, reject) => {
    const ask = () => {
      const page = (offset + done * CONNECTIONS_PER_HOST) % site.pagesPerHost;
      socket.write(`GET ${site.paths[page]} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    };
    socket.once('connect', ask);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (expected === -1) {
        const head = chunk.latin1Slice(0, 300);
        const headEnd = head.indexOf('\r\n\r\n');
        expected = headEnd + 4 + Number(/Content-Length: (\d+)/.exec(head)?.[1]);
      }
      received += chunk.length;
      if (received < expected) return;
      done += 1;
      expected = -1;
      received = 0;
      if (done < count) ask();
      else socket.end(resolve);
    });
  });
}
