import { decodeSmallBody, type Encoding } from './content-encoding.ts';
import { looksLikeHtml, SNIFFED_BYTES } from './content-type.ts';
import { StreamingDecoder } from './streaming-decoder.ts';

export type ReadBody =
  | {
      readonly kind: 'read';
      readonly rawBody: Buffer;
      readonly body: Buffer;
      /** The cap was reached; `body` is the part before it. */
      readonly isTruncated: boolean;
    }
  | { readonly kind: 'too-large'; readonly rawBody: Buffer }
  | { readonly kind: 'not-html'; readonly rawBody: Buffer }
  | { readonly kind: 'bad-encoding'; readonly rawBody: Buffer; readonly message: string };

export interface BodyReaderOptions {
  readonly encodings: readonly Encoding[];
  /** Cap on the body, both as received and as decoded. */
  readonly maxBytes: number;
  /** At the cap, keep what is before it; otherwise the body is too large. */
  readonly keepsTruncated: boolean;
  /** Nothing says what the body is: read on only while it looks like HTML. */
  readonly mustSniff: boolean;
}

/** Up to this size a synchronous decode costs less than handing chunks to the thread pool. */
const SYNC_DECODE_MAX_BYTES = 65_536;

/** Gathers the chunks of one body into one buffer, decoded, within a cap. */
export class BodyReader {
  readonly #options: BodyReaderOptions;
  readonly #onEndedEarly: () => void;
  readonly #chunks: Buffer[] = [];
  #decoder: StreamingDecoder | undefined;
  #isOverCap = false;
  receivedBytes = 0;

  /** `onEndedEarly` says that the rest of the body is of no use; it may come during `push` or later. */
  constructor(options: BodyReaderOptions, onEndedEarly: () => void) {
    this.#options = options;
    this.#onEndedEarly = onEndedEarly;
  }

  push(chunk: Buffer): void {
    const { encodings, maxBytes } = this.#options;
    const sniffedBytes = this.receivedBytes;
    this.receivedBytes += chunk.length;
    this.#chunks.push(chunk);
    if (sniffedBytes < SNIFFED_BYTES && this.receivedBytes >= SNIFFED_BYTES && this.#isPlainlyNotHtml()) {
      this.#onEndedEarly();
      return;
    }
    if (this.#decoder) this.#decoder.write(chunk);
    else if (encodings.length > 0 && this.receivedBytes > SYNC_DECODE_MAX_BYTES) this.#startDecoder();
    if (this.receivedBytes > maxBytes) {
      this.#isOverCap = true;
      this.#onEndedEarly();
    }
  }

  /** Synchronous for all but large encoded bodies, which spares the common case a turn of the loop. */
  finish(): ReadBody | Promise<ReadBody> {
    const read = this.#decode();
    return read instanceof Promise ? read.then((done) => this.#sniff(done)) : this.#sniff(read);
  }

  #decode(): ReadBody | Promise<ReadBody> {
    const { encodings, maxBytes, keepsTruncated } = this.#options;
    const [only] = this.#chunks;
    const rawBody =
      only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.receivedBytes);
    if (this.#isOverCap && !keepsTruncated) return { kind: 'too-large', rawBody };
    if (encodings.length === 0) {
      const body = this.#isOverCap ? rawBody.subarray(0, maxBytes) : rawBody;
      return { kind: 'read', rawBody: body, body, isTruncated: this.#isOverCap };
    }
    if (!this.#decoder && !this.#isOverCap) {
      const decoded = decodeSmallBody(rawBody, encodings, maxBytes);
      if (decoded.kind === 'decoded')
        return { kind: 'read', rawBody, body: decoded.body, isTruncated: false };
      if (decoded.kind === 'bad-encoding') return { ...decoded, rawBody };
      if (!keepsTruncated) return { kind: 'too-large', rawBody };
    }
    return this.#finishDecoder(rawBody);
  }

  destroy(): void {
    this.#decoder?.destroy();
  }

  #sniff(read: ReadBody): ReadBody {
    if (!this.#options.mustSniff || read.kind !== 'read' || looksLikeHtml(read.body)) return read;
    return { kind: 'not-html', rawBody: read.rawBody };
  }

  /** Known before the end only when the bytes on the wire are the bytes of the body. */
  #isPlainlyNotHtml(): boolean {
    const { mustSniff, encodings } = this.#options;
    return mustSniff && encodings.length === 0 && !looksLikeHtml(Buffer.concat(this.#chunks));
  }

  async #finishDecoder(rawBody: Buffer): Promise<ReadBody> {
    const decoded = await (this.#decoder ?? this.#startDecoder()).finish();
    if (decoded.kind === 'bad-encoding') return { ...decoded, rawBody };
    if (decoded.isTruncated && !this.#options.keepsTruncated) return { kind: 'too-large', rawBody };
    return { kind: 'read', rawBody, body: decoded.body, isTruncated: decoded.isTruncated };
  }

  #startDecoder(): StreamingDecoder {
    const { encodings, maxBytes } = this.#options;
    const decoder = new StreamingDecoder(encodings, maxBytes, this.#onEndedEarly);
    this.#decoder = decoder;
    for (const chunk of this.#chunks) decoder.write(chunk);
    return decoder;
  }
}
