/** A parser has failed on a page: a defect of its own, told with its name and the page. */

export type ParserFailure =
  /** It has thrown. */
  | 'threw'
  /** It took too long, and was stopped. */
  | 'too-slow'
  /** It took too long again and again, and is left alone for a while. */
  | 'resting'
  /** What it returned is not what a parser may return. */
  | 'bad-result';

export class ParserFailed extends Error {
  readonly code: ParserFailure;

  constructor(code: ParserFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ParserFailed';
    this.code = code;
  }
}
