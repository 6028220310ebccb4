import { describe, expect, test } from 'vitest';
import {
  escapePattern,
  escapeUrlForRobots,
  extractPathAndQuery,
} from '../../src/engine/politeness/robots-path.ts';

describe('the path of a URL', () => {
  test.each([
    ['', '/'],
    ['https://h.example', '/'],
    ['https://h.example/', '/'],
    ['https://h.example:8080/a/b/', '/a/b/'],
    ['https://h.example/a?b=c&d=e#f', '/a?b=c&d=e'],
    ['https://h.example/a?to=https://other.example/x', '/a?to=https://other.example/x'],
    ['https://h.example/a;v=1?b#c', '/a;v=1?b'],
    ['https://h.example?a=b', '/?a=b'],
    ['https://h.example;a', '/;a'],
    ['https://h.example#a/b', '/'],
    ['https://h.example/#a', '/'],
    ['https://h.example//a//b', '//a//b'],
    ['h.example', '/'],
    ['h.example/a', '/a'],
    ['h.example?a', '/?a'],
    ['//h.example/a/b', '/a/b'],
    ['//h.example', '/'],
    ['/a/b', '/a/b'],
    ['a/b', '/b'],
    ['a', '/'],
    ['/go?to=https://other.example/', '/go?to=https://other.example/'],
    ['https://h.example/%7Ea/%c3%a9', '/%7Ea/%c3%a9'],
    ['https://h.example/ツ', '/ツ'],
  ])('of %j is %j', (url, path) => {
    expect(extractPathAndQuery(url)).toBe(path);
  });
});

describe('a pattern', () => {
  test.each([
    ['/a/b*c$', '/a/b*c$'],
    ['/%aa%Bb%cC', '/%AA%BB%CC'],
    ['/%2f%2F', '/%2F%2F'],
    ['/%62%61', '/%62%61'],
    ['/%', '/%'],
    ['/%e', '/%e'],
    ['/%zz%gf', '/%zz%gf'],
    ['/%%aa', '/%%AA'],
    ['/\xc3\xa9', '/%C3%A9'],
    ['/\x80\xff', '/%80%FF'],
    ['/a b', '/a b'],
  ])('of the octets %j is escaped as %j, and nothing is decoded', (octets, escaped) => {
    expect(escapePattern(octets)).toBe(escaped);
  });
});

test('a URL no serialiser went over can be given the escapes patterns have', () => {
  expect(escapeUrlForRobots('https://h/café/%e3%83%84/ツ?q=€')).toBe(
    'https://h/caf%C3%A9/%E3%83%84/%E3%83%84?q=%E2%82%AC',
  );
  expect(escapeUrlForRobots('https://h/a?b=%2f')).toBe('https://h/a?b=%2F');
});
