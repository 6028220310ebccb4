import type { Frame } from './html.ts';
import { renderLinks, renderPage } from './html.ts';
import { createRandom } from './random.ts';

const EVENTS = [
  'Tea tasting',
  'Kettle repair evening',
  'Walk round the reservoir',
  'Reading group',
  'Open oven',
];

/**
 * The trap: a calendar that has a next month whatever month it shows. People stop turning the pages;
 * a crawler has to notice.
 */
export function renderCalendar(frame: Frame, year: number, month: number): string {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const label = first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const random = createRandom(`calendar:${year}-${month}`);
  const days = random.pickSome(
    Array.from({ length: 28 }, (_, index) => index + 1),
    3,
  );
  const rows = days
    .sort((one, other) => one - other)
    .map((day) => `<tr><th>${day}</th><td>${random.pick(EVENTS)}</td></tr>`);
  return renderPage(frame, {
    title: `Calendar, ${label}`,
    description: `What happens around the kettle in ${label}.`,
    main: `<h1>${label}</h1>
<table>${rows.join('\n')}</table>
<nav class="pages" aria-label="Months">${renderLinks([
      { href: pathOf(year, month - 1), text: '← The month before' },
      { href: pathOf(year, month + 1), text: 'The month after →' },
    ])}</nav>`,
  });
}

/** Year and month of /calendar/2025/03/, or nothing. */
export function readCalendarPath(path: string): { year: number; month: number } | undefined {
  const match = /^\/calendar\/(\d{4})\/(0[1-9]|1[0-2])\/$/.exec(path);
  return match === null ? undefined : { year: Number(match[1]), month: Number(match[2]) };
}

function pathOf(year: number, month: number): string {
  const date = new Date(Date.UTC(year, month - 1, 1));
  const paddedYear = String(date.getUTCFullYear()).padStart(4, '0');
  return `/calendar/${paddedYear}/${String(date.getUTCMonth() + 1).padStart(2, '0')}/`;
}
