import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../src/engine/parse/scan-html.ts';
import {
  isLoginRedirect,
  isLoginWall,
  isSameSite,
  loginEndpoint,
  pageLoginSign,
} from '../../src/engine/politeness/login-wall.ts';
import { type PasswordPage, pages, walls } from './login-pages.ts';

const judge = ({ html, url }: PasswordPage) => pageLoginSign(parseHtml({ html, url, maxLinks: 1000 }), url);

describe('a page that is a login', () => {
  it.each(walls.map((page) => [page.name, page] as const))('%s', (_name, page) => {
    expect(isLoginWall(judge(page))).toBe(true);
  });
});

describe('a page that is none, though there is a password on it', () => {
  it.each(pages.map((page) => [page.name, page] as const))('%s', (_name, page) => {
    expect(isLoginWall(judge(page))).toBe(false);
  });
});

describe('a redirect to a login', () => {
  it.each([
    ['https://a.example/x', 'https://a.example/login'],
    ['https://a.example/x', 'https://a.example/login?next=%2Fx'],
    ['https://a.example/', 'https://a.example/users/sign_in'],
    ['https://a.example/', 'https://a.example/Account/Login?ReturnUrl=%2f'],
    ['https://a.example/wp-admin/', 'https://a.example/wp-login.php?redirect_to=x&reauth=1'],
    ['https://a.example/orders', 'https://a.example/customer/account/login/referer/aHR0/'],
    ['https://a.example/board', 'https://a.example/ucp.php?mode=login'],
    ['https://a.example/wiki', 'https://a.example/index.php?title=Special:UserLogin&returnto=Home'],
    ['https://a.example/', 'https://a.example/session/new'],
    ['https://a.example/', 'https://a.example/auth?redirect_uri=https%3A%2F%2Fa.example'],
    ['https://a.example/mein-konto', 'https://a.example/anmelden'],
    ['https://a.example/compte', 'https://a.example/se-connecter'],
    ['https://a.example/', 'https://a.example/%E3%83%AD%E3%82%B0%E3%82%A4%E3%83%B3'],
    ['https://a.example/', 'https://login.a.example/'],
    ['https://a.example/', 'https://sso.other.example/realms/a'],
    ['https://a.example/', 'https://accounts.google.com/v3/signin/identifier?continue=x'],
    ['https://a.example/', 'https://login.microsoftonline.com/common/oauth2/authorize?client_id=1'],
    ['https://a.example/', 'https://acme.okta.com/app/a'],
  ])('%s → %s', (from, to) => {
    expect(isLoginRedirect(from, to)).toBe(true);
  });
});

describe('a redirect that means nothing', () => {
  it.each([
    ['http://a.example/', 'https://a.example/'],
    ['https://a.example/', 'https://a.example/en/'],
    ['https://a.example/old', 'https://a.example/blog/login-best-practices'],
    ['https://a.example/docs/v1/auth', 'https://a.example/docs/v2/auth'],
    ['https://a.example/docs/start', 'https://a.example/docs/auth/start'],
    ['https://a.example/login', 'https://a.example/login/'],
    ['https://a.example/login', 'https://accounts.a.example/signin?next=x'],
    ['https://a.example/logout', 'https://a.example/login'],
    ['https://a.example/sign-out?t=1', 'https://a.example/login'],
    ['https://accounts.a.example/', 'https://accounts.a.example/overview'],
    ['https://old.example/', 'https://auth.gr/'],
    ['https://a.example/find', 'https://a.example/search?q=login'],
    ['https://a.example/x', 'https://a.example/catalogue/blogin'],
    ['https://a.example/x', 'https://a.example/account'],
    ['https://a.example/x', 'https://a.example/x?login=failed'],
    ['https://a.example/x', 'https://a.example/x#/login'],
  ])('%s → %s', (from, to) => {
    expect(isLoginRedirect(from, to)).toBe(false);
  });
});

describe('a page beside a login', () => {
  it.each([
    '/login',
    '/users/password/new',
    '/forgot-password',
    '/register',
    '/passwort-vergessen',
    '/inscription',
  ])('%s is neither a wall nor anything to read', (path) => {
    const url = `https://site.example${path}`;
    expect(judge({ name: path, url, html: '<title>x</title><input type=email>' })).toBe('at-home');
  });

  it.each(['/registers-of-sweden', '/blog/forgot-it', '/password'])('%s is a page', (path) => {
    const url = `https://site.example${path}`;
    expect(judge({ name: path, url, html: '<title>x</title><p>Text</p>' })).toBeUndefined();
  });
});

it('a login is known by its address without the way back', () => {
  expect(loginEndpoint('https://a.example/login?next=/x#top')).toBe('https://a.example/login');
  expect(loginEndpoint('https://a.example/login')).toBe('https://a.example/login');
});

it('a site’s own login may stand on another of its hosts', () => {
  expect(isSameSite('https://app.a.com/x', 'https://login.a.com/')).toBe(true);
  expect(isSameSite('https://app.a.com/x', 'https://login.b.com/')).toBe(false);
});
