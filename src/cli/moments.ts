/** Moments the way people read them; always in UTC, so that two machines show the same. */
export function formatMoment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** With seconds, for the log. */
export function formatInstant(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function describeMoment(date: Date | null | undefined): string {
  return date === null || date === undefined ? '-' : formatMoment(date);
}
