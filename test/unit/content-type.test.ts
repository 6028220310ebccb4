import { describe, expect, it } from 'vitest';
import { isPageType, looksLikeHtml, mediaType } from '../../src/engine/fetch/content-type.ts';

describe('mediaType', () => {
  it.each([
    ['text/html', 'text/html'],
    ['Text/HTML; Charset=UTF-8', 'text/html'],
    [' text/html ;charset=x', 'text/html'],
    ['text/plain, text/html', 'text/html'],
    ['text/html, */*', 'text/html'],
  ])('reads %j as %s', (header, type) => {
    expect(mediaType(header)).toBe(type);
  });

  it.each([[undefined], [''], ['html'], ['*/*'], [';charset=utf-8']])('finds no type in %j', (header) => {
    expect(mediaType(header)).toBeUndefined();
  });
});

it('takes HTML and XHTML for pages and nothing else', () => {
  expect(['text/html', 'application/xhtml+xml'].every(isPageType)).toBe(true);
  expect(['text/plain', 'application/pdf', 'image/svg+xml', 'application/xml'].some(isPageType)).toBe(false);
});

describe('looksLikeHtml', () => {
  it.each([
    ['<!DOCTYPE html><p>'],
    ['\n\t <html>'],
    ['<!-- saved -->'],
    ['<h1>Title</h1>'],
    ['\ufeff<!doctype html >'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html xmlns="y">'],
    [''],
  ])('recognises %j', (text) => {
    expect(looksLikeHtml(Buffer.from(text))).toBe(true);
  });

  it.each([['%PDF-1.7'], ['{"a":"<html>"}'], ['<?xml version="1.0"?><rss>'], ['<abbr>'], ['plain words']])(
    'does not take %j for HTML',
    (text) => {
      expect(looksLikeHtml(Buffer.from(text))).toBe(false);
    },
  );
});
