/** The search server cannot be reached, or cannot answer. */
export class SearchServerError extends Error {
  /** HTTP; undefined: it did not answer at all. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
