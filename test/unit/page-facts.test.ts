import { describe, expect, it } from 'vitest';
import type { ParsedPage } from '../../src/engine/parse/parsed-page.ts';
import { parseHtml } from '../../src/engine/parse/scan-html.ts';

function parse(html: string): ParsedPage {
  return parseHtml({ html, url: 'https://site.example/dir/page', maxLinks: 1000 });
}

const kinds = (html: string) => parse(html).links.map((link) => `${link.kind} ${link.href}`);

describe('links', () => {
  it('come from anchors, areas, frames and navigating link elements, in document order', () => {
    const html = `
      <link rel="canonical" href="/c"><link rel=next href=/n><link rel=prev href=/p>
      <link rel=alternate hreflang=de href=/de><link rel=alternate type="text/html; charset=x" href=/h>
      <a href=/a>a</a><map><area href=/area></map><iframe src=/i></iframe><frame src=/f>`;
    expect(kinds(html)).toEqual([
      'canonical /c',
      'next /n',
      'prev /p',
      'alternate /de',
      'alternate /h',
      'anchor /a',
      'area /area',
      'frame /i',
      'frame /f',
    ]);
  });

  it('do not come from stylesheets, feeds, icons or elements without an address', () => {
    const html = `<link rel=stylesheet href=/1><link rel="alternate stylesheet" hreflang=de href=/2>
      <link rel=alternate type=application/rss+xml hreflang=de href=/3><link rel=alternate href=/4>
      <link rel=icon href=/5><link href=/6><a name=x>7</a><link rel=canonical><iframe srcdoc="<a href=no>">`;
    expect(parse(html)).toMatchObject({ links: [], linksSeen: 0 });
  });

  it('are found in noscript, templates and SVG', () => {
    const html = `<noscript><a href=/1>x</a></noscript><template><a href=/2>x</a></template>
      <svg><a xlink:href="/3"><text>x</text></a><a href=/4 xlink:href=/no></a></svg>`;
    expect(kinds(html)).toEqual(['anchor /1', 'anchor /2', 'anchor /3', 'anchor /4']);
  });

  it('are given once each, and followable if any of them is', () => {
    const page = parse('<a href=/x rel=nofollow><a href="/x"><a href=/y rel=ugc><a href=/y rel=NoFollow>');
    expect(page.linksSeen).toBe(4);
    expect(page.links).toEqual([
      { href: '/x', kind: 'anchor', isNofollow: false },
      { href: '/y', kind: 'anchor', isNofollow: true },
    ]);
  });

  it.each([
    ['nofollow', true],
    ['noopener  SPONSORED', true],
    ['ugc\n', true],
    ['x-nofollow', false],
    ['nofollowing', false],
    ['noopener', false],
  ])('with rel=%j are nofollow: %s', (rel, expected) => {
    expect(parse(`<a href=/x rel="${rel}">`).links[0]?.isNofollow).toBe(expected);
  });

  it('that name no page are counted but not given', () => {
    const page = parse(
      `<a href="javascript:void(0)"><a href=" MAILTO:a@b"><a href=tel:1><a href=data:,x><a href=job>`,
    );
    expect(page.linksSeen).toBe(5);
    expect(page.links.map((link) => link.href)).toEqual(['job']);
  });
});

describe('base and canonical', () => {
  it('resolve against the first base with an address', () => {
    const page = parse(
      '<base target=_top><base href=/b/><base href=/no/><link rel="nofollow CANONICAL" href=c>',
    );
    expect(page.baseUrl).toBe('https://site.example/b/');
    expect(page.canonicalUrl).toBe('https://site.example/b/c');
  });

  it('stay with the page where a base is unusable', () => {
    for (const base of ['http://[', 'javascript:1', 'data:,x']) {
      expect(parse(`<base href="${base}">`).baseUrl).toBe('https://site.example/dir/page');
    }
  });

  it('ignore a canonical that is no web address', () => {
    expect(parse('<link rel=canonical href="javascript:1">').canonicalUrl).toBeUndefined();
    expect(parse('<link rel=canonical href="ftp://x/">').canonicalUrl).toBeUndefined();
    expect(parse('<link rel=canonical href="">').canonicalUrl).toBeUndefined();
    expect(parse('<template><link rel=canonical href=/no></template>').canonicalUrl).toBeUndefined();
  });
});

describe('metas', () => {
  it('give the description, or else that of Open Graph', () => {
    const og = '<meta property="og:description" content="for sharing">';
    expect(parse(`${og}<meta name=Description content=" A\n  &amp; B ">`).description).toBe('A & B');
    expect(parse(`<meta name=description content="">${og}`).description).toBe('for sharing');
    expect(parse(`<meta name=description content="${'d'.repeat(9000)}">`).description).toHaveLength(2000);
  });

  it('give robots directives for everyone and for named crawlers', () => {
    const html = `<meta name=ROBOTS content="NOINDEX, nofollow"><meta name=Forager content="noarchive">
      <meta name=googlebot content="max-snippet:20"><meta name=viewport content="none">
      <meta name=keywords content="follow us"><meta name=rating content="general"><meta name=robots content="">`;
    expect(parse(html).robotsMetas).toEqual([
      { name: 'robots', content: 'NOINDEX, nofollow' },
      { name: 'forager', content: 'noarchive' },
      { name: 'googlebot', content: 'max-snippet:20' },
      { name: 'robots', content: '' },
    ]);
  });

  it('are bounded', () => {
    expect(parse('<meta name=robots content=noindex>'.repeat(1000)).robotsMetas).toHaveLength(32);
  });

  it.each([
    ['0; url=/next', '/next'],
    ['5;URL = "/a b" ignored', '/a b'],
    ["0, url='/q", '/q'],
    [' 3.7 /bare', '/bare'],
    ['.5;/half', '/half'],
    ['0;url=url=/twice', 'url=/twice'],
    ['5', undefined],
    ['5;', undefined],
    ['0;url=', undefined],
    ['5x;url=/no', undefined],
    ['url=/no', undefined],
  ])('give the target of a refresh: %s', (content, expected) => {
    const page = parse(
      `<noscript><meta http-equiv=Refresh content="${content.replaceAll('"', '&quot;')}"></noscript>`,
    );
    expect(page.refreshUrl).toBe(expected);
  });
});

describe('images', () => {
  it('are counted once each, with or without the scripts that would load them', () => {
    const html = `<img src=1><img srcset="2 2x"><img data-src=3><img alt="none">
      <picture><source srcset=4><img src=4></picture><noscript><img src=3></noscript><template><img src=5></template>`;
    expect(parse(html).imageCount).toBe(4);
  });
});

describe('a field for a password', () => {
  it.each([
    ['<input type="password">', true],
    ["<INPUT TYPE=' PassWord '>", true],
    ['<input name=p type=password />', true],
    ['<form><input type=text><input type=password><input type=submit></form>', true],
    ['<input type=text><input><input type=passwords>', false],
    ['<template><input type=password></template>', false],
    ['<!-- <input type=password> --><script>"<input type=password>"</script>', false],
    ['<p>input type=password</p>', false],
    [`<input type="${'password'.repeat(9)}">`, false],
  ])('%s: %s', (html, isThere) => {
    expect(parse(html).hasPasswordInput).toBe(isThere);
  });

  it('is no image and hides no text', () => {
    expect(parse('<input type=image src=/go.png>').imageCount).toBe(0);
    expect(parse('a<input hidden type=password>b').textLength).toBe(2);
  });
});
