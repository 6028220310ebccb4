/**
 * Question and answer with a proxy before its connection carries a request. Nothing is believed about the other side:
 * an answer has a largest size, the whole dialogue one deadline, and what arrives after the last answer stays on the
 * socket for whoever comes next.
 */
import type { Socket } from 'node:net';
import { type FetchFailure, fail } from './fetch-failure.ts';
import { calledOff, ignore, type OpenAttempt } from './socket-opening.ts';

/** How many bytes the answer has, as soon as that is known. */
export type Measure = (received: Buffer) => number | 'unfinished' | 'nonsense';

export type Answer =
  | { readonly kind: 'answer'; readonly bytes: Buffer }
  | { readonly kind: 'failed'; readonly failure: FetchFailure };

interface Question {
  readonly measure: Measure;
  readonly maxBytes: number;
  readonly resolve: (answer: Answer) => void;
}

export interface DialogueParts {
  readonly socket: Socket;
  /** As messages name the proxy. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly attempt: OpenAttempt;
}

export class ProxyDialogue {
  readonly #parts: DialogueParts;
  readonly #timer: NodeJS.Timeout;
  #received: Buffer = Buffer.alloc(0);
  #question: Question | undefined;
  #failure: FetchFailure | undefined;

  constructor(parts: DialogueParts) {
    const { socket, name, timeoutMs, attempt } = parts;
    this.#parts = parts;
    this.#timer = setTimeout(() => {
      this.#break(fail('proxy-unreachable', `The proxy ${name} gave no answer within ${timeoutMs} ms.`));
    }, timeoutMs);
    attempt.onCancel = () => this.#break(calledOff().failure);
    socket.on('readable', this.#onReadable);
    socket.on('error', this.#onClosed);
    socket.on('end', this.#onClosed);
    socket.on('close', this.#onClosed);
  }

  ask(question: Buffer | string, measure: Measure, maxBytes: number): Promise<Answer> {
    return new Promise((resolve) => {
      if (this.#failure) return resolve({ kind: 'failed', failure: this.#failure });
      this.#question = { measure, maxBytes, resolve };
      if (question.length > 0) this.#parts.socket.write(question, 'latin1');
      this.#look();
    });
  }

  /**
   * Lets go of the socket: as it is after an agreement, closed after anything else. Undefined: it is open, and what
   * arrived beyond the last answer is still to be read.
   */
  end(isAgreed: boolean): FetchFailure | undefined {
    const { socket, name, attempt } = this.#parts;
    clearTimeout(this.#timer);
    attempt.onCancel = ignore;
    socket.off('readable', this.#onReadable);
    socket.off('error', this.#onClosed);
    socket.off('end', this.#onClosed);
    socket.off('close', this.#onClosed);
    if (isAgreed && !this.#failure) {
      if (this.#received.length > 0) socket.unshift(this.#received);
      return undefined;
    }
    socket.on('error', ignore);
    socket.destroy();
    if (!isAgreed || this.#failure?.reason !== 'proxy-protocol') return this.#failure;
    // The proxy had its say: it is the target that has nothing to say.
    return fail('dropped', `The connection through ${name} was closed as soon as it stood.`);
  }

  #onReadable = (): void => {
    const chunk: Buffer | null = this.#parts.socket.read();
    if (chunk === null) return;
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    this.#look();
  };

  #onClosed = (): void => {
    const how = this.#received.length > 0 ? 'in the middle of its answer' : 'instead of answering';
    this.#break(fail('proxy-protocol', `The proxy ${this.#parts.name} closed the connection ${how}.`));
  };

  #look(): void {
    const question = this.#question;
    if (!question) {
      // It talks without being asked: more than an answer's rest is held for nobody.
      if (this.#received.length > MOST_UNASKED_BYTES) this.#breakAsNonsense();
      return;
    }
    if (this.#received.length === 0) return;
    const bytes = question.measure(this.#received);
    if (bytes === 'nonsense' || (bytes === 'unfinished' && this.#received.length >= question.maxBytes)) {
      this.#breakAsNonsense();
      return;
    }
    if (bytes === 'unfinished' || bytes > this.#received.length) return;
    const answer = this.#received.subarray(0, bytes);
    this.#received = this.#received.subarray(bytes);
    this.#question = undefined;
    question.resolve({ kind: 'answer', bytes: answer });
  }

  #breakAsNonsense(): void {
    const { name } = this.#parts;
    this.#break(
      fail('proxy-protocol', `What answers at ${name} does not speak the protocol of such a proxy.`),
    );
  }

  #break(failure: FetchFailure): void {
    if (this.#failure) return;
    this.#failure = failure;
    const question = this.#question;
    this.#question = undefined;
    question?.resolve({ kind: 'failed', failure });
  }
}

const MOST_UNASKED_BYTES = 65_536;
