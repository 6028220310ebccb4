/**
 * Turns exchanges into records in segments. Everything here is synchronous: it runs in the writing thread,
 * which has nothing else to do. The first failure is final; what was written before it stays readable.
 */
import { monotonicMs, now } from '../../platform/clock.ts';
import { headerValue } from '../fetch/fetch-result.ts';
import type { Exchange } from './body-store.ts';
import { unpackExchanges } from './exchange-frame.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { compressMember } from './gzip-member.ts';
import { RecentDigests } from './recent-digests.ts';
import { SegmentFile } from './segment-file.ts';
import { formatSegmentName } from './segment-name.ts';
import { type StoreError, toWriteError } from './store-error.ts';
import { digestPayload, encodeExchange, encodeWarcinfo } from './warc-record.ts';

export interface SegmentWriterOptions {
  readonly directory: string;
  readonly writerId: string;
  readonly owner: string;
  readonly software: string;
  readonly robots: string;
  readonly maxSegmentBytes: number;
  readonly maxSegmentAgeMs: number;
  readonly compressionLevel: number;
}

/** Where each exchange of a frame went: segment (index into `segments`), offset, length, three numbers each. */
export interface WrittenFrame {
  readonly segments: readonly string[];
  readonly places: Float64Array;
  /** The exchanges from this one on were not written. */
  readonly writtenCount: number;
  readonly revisitCount: number;
}

/** Below this a revisit record is no smaller than the response it stands for. */
const MIN_REVISIT_BYTES = 1024;
const REMEMBERED_PAYLOADS = 10_000;
/** Members are gathered up to this before they are written: one call for many small pages. */
const WRITE_BYTES = 512 * 1024;

export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #recent = new RecentDigests(REMEMBERED_PAYLOADS);
  /** One record, before compression. */
  readonly #record = new GrowingBuffer(256 * 1024);
  /** Members not yet written. */
  readonly #pending = new GrowingBuffer(WRITE_BYTES + 256 * 1024);
  #segment: SegmentFile | undefined;
  #openedAtMs = 0;
  #serial = 0;
  #failure: StoreError | undefined;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
  }

  get failure(): StoreError | undefined {
    return this.#failure;
  }

  appendFrame(frame: Buffer, usedBytes: number, count: number): WrittenFrame {
    const segments: string[] = [];
    const places = new Float64Array(count * 3);
    let [encodedCount, writtenCount, revisitCount] = [0, 0, 0];
    this.#attempt(() => {
      for (const exchange of unpackExchanges(frame, usedBytes)) {
        const segment = this.#segmentForNext();
        writtenCount = this.#pending.usedBytes === 0 ? encodedCount : writtenCount;
        if (segments.at(-1) !== segment.name) segments.push(segment.name);
        const offset = segment.size + this.#pending.usedBytes;
        const isRevisit = this.#encode(exchange, segment.name, offset);
        const length = segment.size + this.#pending.usedBytes - offset;
        places.set([segments.length - 1, offset, length], encodedCount * 3);
        if (isRevisit) revisitCount++;
        encodedCount++;
        if (this.#pending.usedBytes >= WRITE_BYTES) this.#writePending(segment);
      }
      if (this.#segment) this.#writePending(this.#segment);
      writtenCount = encodedCount;
    });
    return { segments, places, writtenCount, revisitCount };
  }

  sync(): void {
    this.#attempt(() => this.#segment?.sync());
  }

  /** Closes a segment whose time has come although nothing new arrives, so that it can be moved or read. */
  closeIfAged(): void {
    this.#attempt(() => {
      if (this.#segment && this.#isFull(this.#segment)) this.#closeSegment(this.#segment);
    });
  }

  close(): void {
    this.#attempt(() => {
      if (this.#segment) this.#closeSegment(this.#segment);
    });
  }

  /** Adds the exchange's member to those pending; true if it is a repeat. */
  #encode(exchange: Exchange, segmentName: string, offset: number): boolean {
    const digest = digestPayload(exchange.rawBody);
    const isWorthRevisit = exchange.rawBody.length >= MIN_REVISIT_BYTES;
    const original = isWorthRevisit ? this.#recent.find(digest) : undefined;
    const isRevisit = original !== undefined;
    this.#record.clear();
    const identity = encodeExchange(exchange, digest, segmentName, original, this.#record);
    if (isWorthRevisit && !isRevisit) this.#recent.remember(digest, { ...identity, offset });
    compressMember(this.#record.view(), this.#chooseLevel(exchange, isRevisit), this.#pending);
    return isRevisit;
  }

  /** What arrived compressed does not get smaller. */
  #chooseLevel(exchange: Exchange, isRevisit: boolean): number {
    const isEncoded = headerValue(exchange.headers, 'content-encoding') !== undefined;
    return isEncoded && !isRevisit ? 0 : this.#options.compressionLevel;
  }

  #segmentForNext(): SegmentFile {
    if (this.#segment && this.#isFull(this.#segment)) this.#closeSegment(this.#segment);
    this.#segment ??= this.#openSegment();
    return this.#segment;
  }

  #isFull(segment: SegmentFile): boolean {
    if (segment.size + this.#pending.usedBytes >= this.#options.maxSegmentBytes) return true;
    return monotonicMs() - this.#openedAtMs >= this.#options.maxSegmentAgeMs;
  }

  #openSegment(): SegmentFile {
    const { directory, writerId, owner } = this.#options;
    this.#openedAtMs = monotonicMs();
    for (;;) {
      const createdAt = now();
      const name = formatSegmentName(createdAt, writerId, this.#serial++);
      const segment = SegmentFile.create(
        directory,
        name,
        { writerId, owner },
        this.#encodeWarcinfo(name, createdAt),
      );
      if (segment) return segment;
      // The name is taken: a store of the same writer was opened twice within one second.
    }
  }

  #encodeWarcinfo(segmentName: string, createdAt: Date): Buffer {
    const member = new GrowingBuffer(1024);
    this.#record.clear();
    encodeWarcinfo(segmentName, createdAt, this.#options, this.#record);
    compressMember(this.#record.view(), 6, member);
    return member.view();
  }

  #closeSegment(segment: SegmentFile): void {
    this.#writePending(segment);
    segment.close();
    this.#segment = undefined;
    // Repeats refer to records of their own segment only: dropping an old segment must not break a newer one.
    this.#recent.clear();
  }

  #writePending(segment: SegmentFile): void {
    if (this.#pending.usedBytes === 0) return;
    segment.write(this.#pending.view());
    this.#pending.clear();
  }

  #attempt(action: () => void): void {
    if (this.#failure) return;
    try {
      action();
    } catch (error) {
      this.#failure = toWriteError(error, this.#segment?.path ?? this.#options.directory);
      this.#segment?.abandon();
      this.#segment = undefined;
      this.#pending.clear();
    }
  }
}
