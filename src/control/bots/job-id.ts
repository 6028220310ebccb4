/** Bots know a job by a UUID. It is the task's number in another form: nothing has to be looked up. */
const FORM = '00000000-0000-8000-8000-';
const UUID = /^00000000-0000-8000-8000-([0-9a-f]{12})$/i;

export function toJobId(taskId: number): string {
  return FORM + taskId.toString(16).padStart(12, '0');
}

/** Takes the plain number as well; undefined: no task was ever called that. */
export function readJobId(text: string): number | undefined {
  if (/^\d+$/.test(text)) return expectNumber(Number(text));
  const [, digits] = UUID.exec(text) ?? [];
  return digits === undefined ? undefined : expectNumber(Number.parseInt(digits, 16));
}

function expectNumber(id: number): number | undefined {
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
