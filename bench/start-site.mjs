import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts the benchmark's site in its own process.
 * @param {{ hosts: number, pages: number, links: number, kb: number, latencyMs?: number, urgent?: boolean }} shape
 */
export async function startSite(shape) {
  const child = fork(fileURLToPath(new URL('./site.mjs', import.meta.url)), [JSON.stringify(shape)], {
    // Typed arrays of a whole crawl's arrivals cross in one piece.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map();
  let lastId = 0;
  let ending;

  const ready = await new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      ending = new Error(`the site ended with ${signal ?? `code ${code}`}`);
      reject(ending);
      for (const question of waiting.values()) question.reject(ending);
    });
    child.on('message', (message) => {
      if (message.kind === 'ready') resolve(message);
      else waiting.get(message.id)?.resolve(message);
      waiting.delete(message.id);
    });
  });

  function ask(kind) {
    if (ending !== undefined) return Promise.reject(ending);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      // A site that has just gone is told by its exit.
      child.send({ kind, id }, () => undefined);
    });
  }

  return {
    origins: ready.origins,
    paths: ready.paths,
    pagesPerHost: ready.pagesPerHost,
    pageCount: ready.pagesPerHost * shape.hosts,
    /** Address of one page of one host. */
    urlOf: (host, page) => ready.origins[host] + ready.paths[page],
    count: () => ask('count'),
    readLog: () => ask('log'),
    reset: () => ask('reset'),
    stop: () =>
      new Promise((resolve) => {
        if (ending !== undefined) resolve();
        child.removeAllListeners('exit');
        child.once('exit', resolve);
        if (child.connected) child.disconnect();
      }),
  };
}
