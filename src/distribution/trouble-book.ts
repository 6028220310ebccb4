/** What is wrong at the moment, told once when it comes up and not with every attempt, and once when it is over. */
export type Warn = (sentence: string, error?: unknown) => void;

export class TroubleBook {
  readonly #warn: Warn;
  readonly #whenOver: string;
  readonly #told = new Set<string>();
  readonly #troubles = new Map<string, string>();

  constructor(warn: Warn, whenOver: string) {
    this.#warn = warn;
    this.#whenOver = whenOver;
  }

  /** Undefined: everything works. */
  get trouble(): string | undefined {
    return this.#troubles.values().next().value;
  }

  /** `part`: whose trouble it is. Two that suffer from the same are one message. */
  note(part: string, sentence: string, error?: unknown): void {
    this.#troubles.set(part, sentence);
    if (this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#warn(sentence, error);
  }

  clear(part: string): void {
    if (!this.#troubles.delete(part) || this.#troubles.size > 0) return;
    this.#told.clear();
    this.#warn(this.#whenOver);
  }
}
