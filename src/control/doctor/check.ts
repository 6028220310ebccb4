/** One line of the doctor's report. */
export interface Check {
  /** What was looked at. */
  readonly name: string;
  /** ok, worth knowing, or wrong. */
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly message: string;
  /** How to put it right; undefined when there is nothing to do. */
  readonly fix?: string | undefined;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message };
}

export function warning(name: string, message: string, fix?: string): Check {
  return { name, state: 'warning', message, fix };
}

export function wrong(name: string, message: string, fix?: string): Check {
  return { name, state: 'wrong', message, fix };
}
