/** Sites behind a login, and sites that merely have one: told apart by the real engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../src/control/runs/run-summary.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SitePages } from '../origin/site.ts';
import { expectEnding, readEnding } from '../support/crawl-endings.ts';
import { readPageRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

const loginForm = `<!doctype html><title>Sign in</title><form method="post" action="/login">
<input name="user"><input type="password" name="pass"><button>Sign in</button></form>
<a href="/forgot">Forgotten?</a>`;
const toLogin: Handler = ({ response, url }) => {
  response.writeHead(302, { location: `/login?next=${encodeURIComponent(url.pathname)}` });
  response.end();
};
const unauthorized: Handler = ({ response }) => {
  response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' });
  response.end('<p>No.</p>');
};
const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/private/${n}`);

const walled = { status: 'blocked', code: 'login_required', days: 30 };

async function crawl(name: string, pages: SitePages): Promise<RunSummary> {
  origin.site(name, { pages });
  const { end, summary } = await runTestCrawl({ db: database.db, seeds: [origin.hostUrl(name, '/')] });
  expect(end.reason).toBe('complete');
  return summary;
}

describe('a site behind a login', () => {
  it('that redirects its front page is blocked for a month, and its open pages are kept', async () => {
    await crawl('redirecting', { '/': toLogin, '/login': loginForm, '/forgot': htmlPage('Forgotten') });
    const { reason } = await expectEnding(database.db, 'redirecting', walled);
    expect(reason).toContain('/login?next=%2F');
    const kept = (await readPageRows(database.db)).filter(({ url }) => url.includes('//redirecting.'));
    expect(kept.map(({ title }) => title).sort()).toEqual(['Forgotten', 'Sign in']);
  });

  it('that redirects everything is left after ten, and asked for its login once', async () => {
    origin.site('members', { pages: { '/': toLogin, '/login': loginForm, '/private/*': toLogin } });
    const seeds = ['/', ...paths(40)].map((path) => origin.hostUrl('members', path));
    await runTestCrawl({ db: database.db, seeds, settings: { maxConcurrentPerDomain: 1 } });
    const { reason } = await expectEnding(database.db, 'members', walled);
    expect(reason).toContain('10 visits in a row');
    const asked = origin.requestsTo('members').map(({ path }) => path);
    expect(asked.filter((path) => path.startsWith('/login')).length).toBeLessThanOrEqual(1);
    expect(asked.filter((path) => path !== '/robots.txt').length).toBeLessThanOrEqual(11);
  });

  it('that serves the form in place of every page is blocked', async () => {
    await crawl('forms', { '/*': loginForm });
    await expectEnding(database.db, 'forms', walled);
  });

  it('that answers 401 is blocked for a month, not for a fortnight', async () => {
    await crawl('unauthorized', { '/': unauthorized });
    const { reason } = await expectEnding(database.db, 'unauthorized', walled);
    expect(reason).toContain('401');
  });

  it('that has moved its login to another company is blocked, and that company is not crawled', async () => {
    origin.site('sso.stranger', { pages: { '/*': htmlPage('Stranger', ['/about']) } });
    await crawl('outsourced', {
      '/': ({ response }) => {
        response.writeHead(302, { location: origin.hostUrl('sso.stranger', '/realms/x') });
        response.end();
      },
    });
    await expectEnding(database.db, 'outsourced', walled);
    expect(origin.requestsTo('sso.stranger')).toEqual([]);
  });

  it('and pages that only lead to the login by their markup', async () => {
    await crawl('refreshing', {
      '/': '<meta http-equiv="refresh" content="0;url=/login?next=/"><p>One moment</p>',
      '/login': loginForm,
    });
    await expectEnding(database.db, 'refreshing', walled);
  });
});

describe('an ordinary site', () => {
  it('with a login page, and a dozen links that lead there, is crawled to its end', async () => {
    const articles = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `/article/${n}`,
        htmlPage(`Article ${n}`, [`/login?next=/article/${n}`]),
      ]),
    );
    const summary = await crawl('ordinary', {
      '/': htmlPage('Home', ['/login', '/account', ...Object.keys(articles), ...paths(12)]),
      '/login': loginForm,
      '/account': toLogin,
      '/private/*': toLogin,
      ...articles,
    });
    const ending = await readEnding(database.db, 'ordinary');
    expect(ending).toMatchObject({ status: 'exhausted', code: null, days: 14 });
    expect(ending.moves.map(({ to, code }) => `${to} ${code}`)).toEqual(['exhausted all_done']);
    // All twenty articles, and of the links to the login no more than its shape is worth.
    expect(summary.pages).toBeGreaterThanOrEqual(22);
    const logins = origin.requestsTo('ordinary').filter(({ path }) => path.startsWith('/login'));
    expect(logins.length).toBeLessThanOrEqual(12);
    expect(summary.skipped.login).toBe(12);
  });

  it('of which only the login page was asked for is exhausted', async () => {
    origin.site('only-login', { pages: { '/login': loginForm } });
    await runTestCrawl({ db: database.db, seeds: [origin.hostUrl('only-login', '/login')] });
    expect((await readEnding(database.db, 'only-login')).status).toBe('exhausted');
  });
});
