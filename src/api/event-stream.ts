/** One open stream of server-sent events: an answer that goes on, one event after the other. */
import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '../contract/live.ts';
import type { Told } from '../control/live/live-feed.ts';
import { writePlace } from '../control/live/place.ts';

/** How much may wait for a reader who does not read: more than all that somebody who was away is sent at once. */
const MOST_WAITING_BYTES = 2 * 1024 * 1024;
/** How long a browser waits before it connects again. */
const RETRY_MS = 2000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // For proxies that collect an answer before they pass it on.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, or a server that stops would wait for it.
  connection: 'close',
};

export class EventStream {
  readonly #raw: FastifyReply['raw'];

  /** The headers go out at once. From here on the framework has no part in the answer. */
  constructor(reply: FastifyReply) {
    reply.hijack();
    this.#raw = reply.raw;
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS })) {
      if (value !== undefined) this.#raw.setHeader(name, value);
    }
    this.#raw.writeHead(200);
    this.#raw.on('error', () => undefined);
    this.#raw.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** JSON has no line break in it: nothing that is told can begin another line. */
  send({ event, place }: Told): void {
    const id = place === undefined ? '' : `id: ${writePlace(place)}\n`;
    this.#write(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** Tells proxies, and finds out, that somebody is still there. */
  beat(): void {
    this.#write(':\n\n');
  }

  end(last: LiveEvent): void {
    this.send({ event: last });
    if (!this.#raw.destroyed) this.#raw.end();
  }

  #write(text: string): void {
    if (this.#raw.destroyed || this.#raw.writableEnded) return;
    this.#raw.write(text);
    // Nobody waits for a slow reader: it is dropped, and may come again.
    if (this.#raw.writableLength > MOST_WAITING_BYTES) this.#raw.destroy();
  }
}
