/**
 * The main thread's side of the writer: packs exchanges into frames, keeps a frame or two under way and lets
 * the next one fill meanwhile, so that the busier the writer, the more pages share one message.
 */
import type { BodyLocation, Exchange } from './body-store.ts';
import { describeExchange, measureExchange, packExchange } from './exchange-frame.ts';
import { fromPlainError, type StoreError } from './store-error.ts';
import type { WriterAnswer, WriterChannel, WriterRequest } from './writer-channel.ts';

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

interface Frame {
  readonly memory: ArrayBuffer;
  readonly bytes: Buffer;
  usedBytes: number;
  readonly waiting: Waiting<BodyLocation>[];
}

type Order =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | ({ readonly kind: 'sync' | 'close' } & Waiting<void>);

export interface WriteCounts {
  records: number;
  revisits: number;
  archivedBytes: number;
}

const FRAME_BYTES = 512 * 1024;
const MAX_UNDER_WAY = 2;
const MAX_SPARE_FRAMES = 4;

export class WriteQueue {
  readonly counts: WriteCounts = { records: 0, revisits: 0, archivedBytes: 0 };
  readonly #channel: WriterChannel;
  readonly #maxQueuedBytes: number;
  readonly #spare: ArrayBuffer[] = [];
  readonly #underWay: Order[] = [];
  #orders: Order[] = [];
  #filling: Frame | undefined;
  #isFlushDue = false;
  #queuedBytes = 0;
  #whenRoom: Waiting<void>[] = [];
  #failure: StoreError | undefined;

  constructor(channel: WriterChannel, maxQueuedBytes: number) {
    this.#channel = channel;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  append(exchange: Exchange): Promise<BodyLocation> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#queuedBytes <= this.#maxQueuedBytes) return this.#pack(exchange);
    const room = new Promise<void>((resolve, reject) => this.#whenRoom.push({ resolve, reject }));
    return room.then(() => this.append(exchange));
  }

  /** Resolves when everything appended before has been written and the request carried out. */
  request(kind: 'sync' | 'close'): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#seal();
      this.#orders.push({ kind, resolve, reject });
      this.#advance();
    });
  }

  onAnswer(answer: WriterAnswer): void {
    const order = this.#underWay.shift();
    const error = answer.error && fromPlainError(answer.error);
    if (order?.kind === 'frame') this.#settleFrame(order.frame, answer, error);
    else if (error) order?.reject(error);
    else order?.resolve();
    if (error) this.fail(error);
    else this.#advance();
  }

  /** Everything that waits, and everything that comes later, ends with this error. */
  fail(error: StoreError): void {
    this.#failure ??= error;
    this.#seal();
    const lost = [...this.#underWay.splice(0), ...this.#orders.splice(0)];
    for (const order of lost) {
      if (order.kind === 'frame') for (const waiting of order.frame.waiting) waiting.reject(error);
      else order.reject(error);
    }
    for (const waiting of this.#whenRoom.splice(0)) waiting.reject(error);
    this.#queuedBytes = 0;
    this.#channel.hold(false);
  }

  #pack(exchange: Exchange): Promise<BodyLocation> {
    return new Promise((resolve, reject) => {
      const metaText = describeExchange(exchange);
      const size = measureExchange(metaText, exchange.rawBody);
      const frame = this.#frameWithRoom(size);
      frame.usedBytes = packExchange(frame.bytes, frame.usedBytes, metaText, exchange.rawBody);
      frame.waiting.push({ resolve, reject });
      this.#queuedBytes += size;
      this.#flushSoon();
    });
  }

  #frameWithRoom(size: number): Frame {
    if (this.#filling && this.#filling.usedBytes + size > this.#filling.bytes.length) this.#seal();
    this.#filling ??= this.#newFrame(size);
    return this.#filling;
  }

  #newFrame(size: number): Frame {
    const memory = (size <= FRAME_BYTES && this.#spare.pop()) || new ArrayBuffer(Math.max(size, FRAME_BYTES));
    return { memory, bytes: Buffer.from(memory), usedBytes: 0, waiting: [] };
  }

  #seal(): void {
    if (!this.#filling) return;
    this.#orders.push({ kind: 'frame', frame: this.#filling });
    this.#filling = undefined;
  }

  /** At the end of the turn, so that pages that arrived together travel together. */
  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => {
      this.#isFlushDue = false;
      this.#advance();
    });
  }

  #advance(): void {
    while (this.#underWay.length < MAX_UNDER_WAY) {
      if (this.#orders.length === 0) this.#seal();
      const order = this.#orders.shift();
      if (!order) break;
      this.#underWay.push(order);
      if (this.#underWay.length === 1) this.#channel.hold(true);
      this.#channel.send(this.#toRequest(order));
    }
    if (this.#underWay.length === 0) this.#channel.hold(false);
  }

  #toRequest(order: Order): WriterRequest {
    if (order.kind !== 'frame') return { kind: order.kind };
    const { memory, usedBytes, waiting } = order.frame;
    return { kind: 'append', frame: memory, usedBytes, count: waiting.length };
  }

  #settleFrame(frame: Frame, answer: WriterAnswer, error: StoreError | undefined): void {
    this.#queuedBytes -= frame.usedBytes;
    const { written } = answer;
    for (const [index, waiting] of frame.waiting.entries()) {
      if (!written || index >= written.writtenCount) {
        if (error) waiting.reject(error);
        continue;
      }
      const { places, segments } = written;
      const [offset, length] = [places[index * 3 + 1] ?? 0, places[index * 3 + 2] ?? 0];
      this.counts.records++;
      this.counts.archivedBytes += length;
      waiting.resolve({ segment: segments[places[index * 3] ?? 0] ?? '', offset, length });
    }
    this.counts.revisits += written?.revisitCount ?? 0;
    const isReusable = answer.frame?.byteLength === FRAME_BYTES && this.#spare.length < MAX_SPARE_FRAMES;
    if (isReusable && answer.frame) this.#spare.push(answer.frame);
    if (this.#queuedBytes <= this.#maxQueuedBytes / 2) {
      for (const waiting of this.#whenRoom.splice(0)) waiting.resolve();
    }
  }
}
