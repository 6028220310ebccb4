import type { Gunzip } from 'node:zlib';
import { createDecodeStream, describeBadEncoding, type Encoding } from './content-encoding.ts';

export type StreamDecoded =
  | { readonly kind: 'decoded'; readonly body: Buffer; readonly isTruncated: boolean }
  | { readonly kind: 'bad-encoding'; readonly message: string };

/**
 * Decodes a body while it arrives and stops at the cap. Neither the stages between nor the output may pass
 * the cap, so memory is bounded whatever is nested in what.
 */
export class StreamingDecoder {
  readonly #encodings: readonly Encoding[];
  readonly #maxBytes: number;
  readonly #onEndedEarly: () => void;
  readonly #stages: Gunzip[] = [];
  readonly #fedBytes: number[] = [];
  readonly #output: Buffer[] = [];
  #isTruncated = false;
  #outcome: StreamDecoded | undefined;
  #deliver: ((outcome: StreamDecoded) => void) | undefined;

  /** `onEndedEarly` is called once if the rest of the body is of no use: cap reached, or not decodable. */
  constructor(encodings: readonly Encoding[], maxBytes: number, onEndedEarly: () => void) {
    this.#encodings = encodings.toReversed();
    this.#maxBytes = maxBytes;
    this.#onEndedEarly = onEndedEarly;
  }

  write(chunk: Buffer): void {
    this.#feed(0, chunk);
  }

  /** Resolves once everything written has been decoded. */
  finish(): Promise<StreamDecoded> {
    return new Promise((resolve) => {
      if (this.#outcome) {
        resolve(this.#outcome);
        return;
      }
      this.#deliver = resolve;
      if (!this.#isTruncated) this.#endStage(0);
    });
  }

  destroy(): void {
    for (const stage of this.#stages) destroyStage(stage);
  }

  /** Gives a stage its input up to the cap; a stage cut there is ended, and what it yields is a prefix. */
  #feed(index: number, chunk: Buffer): void {
    if (this.#outcome || chunk.length === 0) return;
    const fedBytes = this.#fedBytes[index] ?? 0;
    const roomBytes = this.#maxBytes - fedBytes;
    this.#fedBytes[index] = fedBytes + chunk.length;
    if (roomBytes < 0) return;
    const part = chunk.length > roomBytes ? chunk.subarray(0, roomBytes) : chunk;
    if (index === this.#encodings.length) this.#output.push(part);
    else (this.#stages[index] ?? this.#openStage(index, part))?.write(part);
    if (chunk.length <= roomBytes) return;
    this.#isTruncated = true;
    // What comes before the cut stage would go on unfolding for nobody.
    for (const stage of this.#stages.slice(0, index)) destroyStage(stage);
    this.#endStage(index);
    this.#onEndedEarly();
  }

  #openStage(index: number, firstChunk: Buffer): Gunzip | undefined {
    const encoding = this.#encodings[index];
    if (encoding === undefined) return undefined;
    const stage = createDecodeStream(encoding, firstChunk);
    stage.on('data', (chunk: Buffer) => this.#feed(index + 1, chunk));
    stage.on('error', (error) => {
      this.#settle({ kind: 'bad-encoding', message: describeBadEncoding(encoding, error) });
    });
    stage.on('end', () => this.#endStage(index + 1));
    this.#stages[index] = stage;
    return stage;
  }

  #endStage(index: number): void {
    const stage = this.#stages[index];
    if (stage) stage.end();
    else this.#settle({ kind: 'decoded', body: Buffer.concat(this.#output), isTruncated: this.#isTruncated });
  }

  #settle(outcome: StreamDecoded): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.destroy();
    this.#deliver?.(outcome);
    if (outcome.kind === 'bad-encoding') this.#onEndedEarly();
  }
}

function destroyStage(stage: Gunzip): void {
  stage.removeAllListeners();
  stage.on('error', () => {});
  stage.destroy();
}
