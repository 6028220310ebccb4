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

/** How long something takes or lies back, in its largest unit. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.round(whole / 60)} min`;
  return whole < 172_800 ? `${Math.round(whole / 3600)} h` : `${Math.round(whole / 86_400)} d`;
}
