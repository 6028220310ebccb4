import { describe, expect, test } from 'vitest';
import {
  CALENDAR_BUDGET,
  FACET_BUDGET,
  LOGIN_BUDGET,
  QUERY_BUDGET,
  templateBudget,
  urlTemplate,
} from '../../src/engine/frontier/url-template.ts';

const UNLIMITED = Number.POSITIVE_INFINITY;

describe('a URL has a shape, and the shape a budget', () => {
  test.each([
    // paths of items: as many as there are
    ['/', '/', UNLIMITED],
    ['/about', '/about', UNLIMITED],
    ['/product/12345', '/product/{n}', UNLIMITED],
    ['/product/20240512', '/product/{n}', UNLIMITED],
    ['/product/1999', '/product/{year}', UNLIMITED],
    ['/product-12.html', '/product-{n}.html', UNLIMITED],
    ['/o/123e4567-e89b-12d3-a456-426614174000', '/o/{uuid}', UNLIMITED],
    ['/c/deadbeef01', '/c/{hex}', UNLIMITED],
    ['/w/dQw4w9WgXcQ1', '/w/{id}', UNLIMITED],
    ['/blog/how-we-test-our-crawler', '/blog/{slug}', UNLIMITED],
    ['/shop/running-shoes', '/shop/running-shoes', UNLIMITED],
    ['/%D0%B0-1', '/%D0%B0-{n}', UNLIMITED],
    ['/2024/05/12/a-post', '/{year}/{month}/{day}/{slug}', UNLIMITED],
    ['/news/2024-05-12/789', '/news/{date}/{n}', UNLIMITED],
    ['/calendar/event/12', '/calendar/event/{n}', UNLIMITED],
    ['/agenda/a-very-fine-evening', '/agenda/{slug}', UNLIMITED],
    // calendars
    ['/events/2024/05', '/events/{year}/{month}', CALENDAR_BUDGET],
    ['/events/2024/5/31/', '/events/{year}/{month}/{day}/', CALENDAR_BUDGET],
    ['/events/2024-05-12', '/events/{date}', CALENDAR_BUDGET],
    ['/events/2024-W05', '/events/{year-month}', CALENDAR_BUDGET],
    ['/events/05-2024', '/events/{year-month}', CALENDAR_BUDGET],
    ['/events/2024/05/list', '/events/{year}/{month}/list', CALENDAR_BUDGET],
    ['/calendar/5031/7', '/calendar/{n}/{n}', CALENDAR_BUDGET],
    ['/kalender/week/412', '/kalender/week/{n}', CALENDAR_BUDGET],
    ['/calendar.php?view=3', '/calendar.php?view', CALENDAR_BUDGET],
    ['/events?date=20240512', '/events?date={date}', CALENDAR_BUDGET],
    ['/events?when=2024%2F05%2F12', '/events?when={date}', CALENDAR_BUDGET],
    ['/events?month=5&year=2024', '/events?month={date}&year={date}', CALENDAR_BUDGET],
    // logins
    ['/login?next=%2Fa', '/login?next', LOGIN_BUDGET],
    ['/users/sign_in?return_to=%2Fa', '/users/sign_in?return_to', LOGIN_BUDGET],
    ['/login', '/login', UNLIMITED],
    ['/blog/login-tips?page=2', '/blog/login-tips?page', QUERY_BUDGET],
    // parameters
    ['/shoes?page=2', '/shoes?page', QUERY_BUDGET],
    ['/item.php?id=77', '/item.php?id={n}', QUERY_BUDGET],
    ['/viewtopic.php?f=2&t=123', '/viewtopic.php?f&t={n}', QUERY_BUDGET],
    ['/shoes?colour=red&size=9', '/shoes?colour&size', FACET_BUDGET],
    ['/shoes?size=9&colour=red', '/shoes?colour&size', FACET_BUDGET],
    ['/shoes?f=red&f=9&f=new', '/shoes?f*', FACET_BUDGET],
    ['/shoes?f%5B0%5D=red&f%5B1%5D=9', '/shoes?f%5B{n}%5D*', FACET_BUDGET],
    ['/shoes?brand_id=1&colour_id=2&size_id=3', '/shoes?brand_id={n}&colour_id&size_id', FACET_BUDGET],
  ])('%s → %s: %d', (path, template, budget) => {
    const shape = urlTemplate(`https://shop.example${path}`);
    expect(shape).toBe(`shop.example${template}`);
    expect(templateBudget(shape)).toBe(budget);
  });
});

test('an endless calendar is one shape, whatever its dates', () => {
  const shapes = new Set<string>();
  for (let month = 0; month < 600; month++) {
    shapes.add(urlTemplate(`http://e.com/cal/${2024 + Math.floor(month / 12)}/${(month % 12) + 1}`));
  }
  expect(shapes.size).toBe(1);
});

test('facets are one shape per list, whatever their values and order', () => {
  const shapes = new Set(
    ['?a=1&b=2', '?b=3&a=9', '?a=x&b=y'].map((query) => urlTemplate(`http://e.com/shoes${query}`)),
  );
  expect(shapes.size).toBe(1);
  expect(shapes).not.toContain(urlTemplate('http://e.com/hats?a=1&b=2'));
});

test('hosts have their own shapes', () => {
  expect(urlTemplate('http://a.example/x')).not.toBe(urlTemplate('http://b.example/x'));
});

test('a shape stays short whatever the URL', () => {
  const long = 'x'.repeat(4000);
  expect(urlTemplate(`http://e.com/${long}?${long}=1`).length).toBeLessThan(50);
});
