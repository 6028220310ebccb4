/** Figures and tables the way people read them. */
const numbers = new Intl.NumberFormat('en-US');

export function formatCount(count: number): string {
  return numbers.format(count);
}

export function formatRate(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return '–';
  return perSecond >= 100 ? numbers.format(Math.round(perSecond)) : perSecond.toFixed(1);
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours === 0) return `${minutes} min ${whole % 60} s`;
  return `${hours} h ${minutes} min`;
}

/** Control characters of crawled text must not reach a terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
}

/** Text of several lines: line breaks and tabs are what it is made of; the rest could steer the terminal. */
export function printableText(text: string): string {
  const clean = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return clean.endsWith('\n') ? clean : `${clean}\n`;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Columns as wide as their widest cell; the styles' escape codes do not count. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map((column, i) =>
    Math.max(visibleWidth(column.title), ...rows.map((row) => visibleWidth(row[i] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, i) => pad(cells[i] ?? '', widths[i] ?? 0, column.align ?? 'left'))
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const filler = ' '.repeat(Math.max(0, width - visibleWidth(text)));
  return align === 'left' ? text + filler : filler + text;
}

export function visibleWidth(text: string): number {
  return [...withoutColours(text)].length;
}

export function withoutColours(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '');
}

/** Cuts in the middle, so that both the host and the end of a URL stay visible. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const half = Math.floor((width - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(text.length - (width - half - 1))}`;
}
