/** Where page bodies go. One port: local WARC segments now, object storage later. */
import type { RawHeaders } from '../fetch/fetch-result.ts';

export interface Exchange {
  readonly url: string;
  readonly fetchedAt: Date;
  readonly status: number;
  readonly headers: RawHeaders;
  /** As received, still content-encoded. */
  readonly rawBody: Buffer;
  readonly remoteAddress: string | undefined;
  /** Where it is from, if it is not what a fetch of ours has received: one line. */
  readonly origin?: string | undefined;
}

/** Names the bytes of one archived exchange. */
export interface BodyLocation {
  /** File name of the segment, relative to the store. */
  readonly segment: string;
  readonly offset: number;
  /** Length of the compressed record in the segment. */
  readonly length: number;
}

export interface BodyStore {
  /**
   * Queues an exchange for writing. The promise resolves with its place once the bytes have been handed
   * to the file; they are durable only after the next `sync()` resolves.
   */
  append(exchange: Exchange): Promise<BodyLocation>;
  /** Everything appended before this call is on stable storage when it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredExchange {
  readonly url: string;
  readonly fetchedAt: Date;
  readonly status: number;
  readonly headers: RawHeaders;
  readonly rawBody: Buffer;
}
