/**
 * The benchmark's web server, a process of its own: as many hosts as asked for, each an address of its own on
 * loopback, answering from memory over hand-written HTTP/1.1 so that serving costs little next to crawling.
 * Started by start-site.mjs, which talks to it over IPC.
 */
import { createServer } from 'node:net';
import os from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createPages } from './site-pages.mjs';

const LOG_ROBOTS = -1;
const LOG_OTHER = -2;
/** Beyond this the pages are written when asked for: slower, but within the memory of a laptop. */
const PREBUILT_BYTES_LIMIT = 600 * 1024 * 1024;
const MAX_HEAD_BYTES = 65_536;

const shape = JSON.parse(process.argv[2] ?? '{}');
const pagesPerHost = Math.ceil(shape.pages / shape.hosts);
const pages = createPages({ pagesPerHost, links: shape.links, kb: shape.kb });
const prebuilt =
  shape.pages * shape.kb * 1024 <= PREBUILT_BYTES_LIMIT
    ? Array.from({ length: shape.hosts }, (_, host) =>
        pages.paths.map((_path, page) => buildPage(host, page)),
      )
    : undefined;
const robotsTxt = buildReply('200 OK', 'text/plain', 'User-agent: *\nAllow: /\n');
const notFound = buildReply('404 Not Found', 'text/plain', 'Not here.\n');

let log = createLog();
let seen = new Set();
let cpuAtReset = process.cpuUsage();
const lag = monitorEventLoopDelay({ resolution: 1 });

/** When the loop last came round: what is read now has arrived since. */
let cameRoundAt = Number.NaN;

if (shape.urgent) {
  setInterval(() => {
    cameRoundAt = performance.now();
  }, 1);
  // A late read would be booked as a late arrival, and the next one as too early a one.
  try {
    os.setPriority(-15);
  } catch {
    // Only root may hurry; others measure with the jitter of an ordinary process.
  }
}

const { port, origins } = await listenEverywhere();
lag.enable();
process.send({ kind: 'ready', port, origins, pagesPerHost, paths: pages.paths });
process.on('message', answerQuestion);
process.on('disconnect', () => process.exit(0));

function createLog() {
  return { times: [], earliest: [], hosts: [], pages: [] };
}

function answerQuestion(question) {
  if (question.kind === 'count') {
    process.send({ id: question.id, requests: log.times.length, uniquePages: seen.size });
  } else if (question.kind === 'log') {
    process.send({
      id: question.id,
      times: Float64Array.from(log.times),
      earliest: Float64Array.from(log.earliest),
      hosts: Int32Array.from(log.hosts),
      pages: Int32Array.from(log.pages),
      longestLagMs: lag.max / 1e6,
      cpuSeconds: readCpuSeconds(),
    });
  } else if (question.kind === 'reset') {
    log = createLog();
    seen = new Set();
    cpuAtReset = process.cpuUsage();
    lag.reset();
    process.send({ id: question.id });
  }
}

/** What serving has cost since the last reset. */
function readCpuSeconds() {
  const { user, system } = process.cpuUsage(cpuAtReset);
  return (user + system) / 1e6;
}

function buildPage(host, page) {
  return buildReply('200 OK', 'text/html; charset=utf-8', pages.renderPage(host, page));
}

function buildReply(status, type, body) {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { bytes: Buffer.from(head + body, 'latin1'), headBytes: head.length };
}

/** Linux answers on all of 127.0.0.0/8; elsewhere hosts are told apart by their ports. */
async function listenEverywhere() {
  const hasManyAddresses = process.platform === 'linux';
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const servers = [];
    try {
      let commonPort = 0;
      const found = [];
      for (let host = 0; host < shape.hosts; host += 1) {
        const address = hasManyAddresses
          ? `127.0.${10 + Math.floor(host / 200)}.${1 + (host % 200)}`
          : '127.0.0.1';
        const server = await listen(host, address, hasManyAddresses ? commonPort : 0);
        servers.push(server);
        commonPort = server.address().port;
        found.push(`http://${address}:${commonPort}`);
      }
      return { port: commonPort, origins: found };
    } catch (error) {
      for (const server of servers) server.close();
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error('no port is free on all the addresses the site needs');
}

function listen(host, address, wantedPort) {
  const server = createServer({ noDelay: true }, (socket) => serveConnection(host, socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: wantedPort, backlog: 1024 }, () => resolve(server));
  });
}

function serveConnection(host, socket) {
  let pending = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const readAt = performance.now();
    pending += chunk.latin1Slice();
    // Several requests may arrive in one read (pipelining), or one in several.
    for (let end = pending.indexOf('\r\n\r\n'); end !== -1; end = pending.indexOf('\r\n\r\n')) {
      const head = pending.slice(0, end);
      pending = pending.slice(end + 4);
      answer(host, socket, head, readAt);
    }
    if (pending.length > MAX_HEAD_BYTES) socket.destroy();
  });
}

function answer(host, socket, head, readAt) {
  const [method, target = ''] = head.split('\r\n', 1)[0].split(' ', 2);
  const page = target === '/robots.txt' ? LOG_ROBOTS : (pages.findPage(target) ?? LOG_OTHER);
  log.times.push(readAt);
  log.earliest.push(cameRoundAt);
  log.hosts.push(host);
  log.pages.push(page);
  if (page >= 0) seen.add(host * pagesPerHost + page);

  const reply = chooseReply(host, page);
  const bytes = method === 'HEAD' ? reply.bytes.subarray(0, reply.headBytes) : reply.bytes;
  const mustClose = /\r\nconnection: *close/i.test(head);
  const send = () => (mustClose ? socket.end(bytes) : socket.write(bytes));
  if (shape.latencyMs > 0) setTimeout(send, shape.latencyMs);
  else send();
}

function chooseReply(host, page) {
  if (page === LOG_ROBOTS) return robotsTxt;
  if (page === LOG_OTHER) return notFound;
  return prebuilt?.[host][page] ?? buildPage(host, page);
}
