/** A field whose rule depends on more than the request: where it is, and what is wrong with it. */
import { ForagerError } from '../../platform/errors.ts';

export class InvalidField extends ForagerError {
  readonly path: string;
  readonly problem: string;

  constructor(field: string, problem: string) {
    super('invalid', `body.${field}: ${problem}`);
    this.path = `body.${field}`;
    this.problem = problem;
  }
}
