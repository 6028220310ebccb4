/** Something a person must see to; told as one sentence and one hint, without a stack. */
export class BootstrapProblem extends Error {
  constructor(message, hint, detail = '') {
    super(message);
    this.hint = hint;
    this.detail = detail;
  }
}

export function sayProblem(error) {
  if (!(error instanceof BootstrapProblem)) {
    process.stderr.write(`forager bootstrap: ${error?.stack ?? error}\n`);
    return;
  }
  if (error.detail) process.stderr.write(`${error.detail.trimEnd()}\n`);
  process.stderr.write(`forager: ${error.message}\n  fix: ${error.hint}\n`);
}

/** One line that says what takes so long; on a terminal it counts the seconds and is replaced at the end. */
export function showProgress(what) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const isTerminal = process.stderr.isTTY === true;
  if (!isTerminal) process.stderr.write(`${what} …\n`);
  const draw = () => process.stderr.write(`\r${what} … ${seconds()} s `);
  const timer = isTerminal ? setInterval(draw, 500) : undefined;
  if (isTerminal) draw();
  return {
    end() {
      clearInterval(timer);
      if (isTerminal) process.stderr.write(`\r${what}: done in ${seconds()} s\n`);
    },
    fail() {
      clearInterval(timer);
      if (isTerminal) process.stderr.write('\n');
    },
  };
}
