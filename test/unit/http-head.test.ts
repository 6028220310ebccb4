import { describe, expect, test } from 'vitest';
import { formatHttpHead, parseHttpHead } from '../../src/engine/store/http-head.ts';

function roundTrip(headers: string[], bodyBytes = 3) {
  const head = formatHttpHead(200, headers, bodyBytes);
  return parseHttpHead(Buffer.from(`${head}abc`, 'latin1'));
}

describe('the archived head', () => {
  test('says what the body beside it is, not how it was transferred', () => {
    const headers = ['transfer-encoding', 'chunked', 'Content-Length', '999', 'X-A', '1'];
    expect(formatHttpHead(404, headers, 3)).toBe(
      'HTTP/1.1 404 Not Found\r\nX-Forager-Orig-transfer-encoding: chunked\r\n' +
        'X-Forager-Orig-Content-Length: 999\r\nX-A: 1\r\nContent-Length: 3\r\n\r\n',
    );
  });

  test.each([
    [['Transfer-Encoding', 'gzip, chunked', 'Content-Type', 'text/html']],
    [['Content-Length', '3']],
    [['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Empty', '', 'X-Colon', 'a: b:c']],
    [['X-Latin', 'caf\u00e9 \u0080\u00ff']],
  ])('gives %j back', (headers) => {
    expect(roundTrip(headers)?.headers).toEqual(headers);
    expect(roundTrip(headers)?.status).toBe(200);
  });

  test('gives a wrong length back in place of the right one', () => {
    expect(roundTrip(['Content-Length', '999', 'X-A', '1'])?.headers).toEqual([
      'Content-Length',
      '999',
      'X-A',
      '1',
    ]);
  });

  test('has at least one field, without which readers take the body for fields', () => {
    expect(formatHttpHead(200, [], 3)).toBe('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n');
    expect(formatHttpHead(200, ['Transfer-Encoding', 'chunked'], 0)).toContain('\r\nContent-Length: 0\r\n');
  });

  test('keeps every value on its line and every name a token', () => {
    const head = formatHttpHead(
      200,
      ['X-Evil', 'a\r\nSet-Cookie: x\0y', 'Bad Name:\r\n', 'v', '', 'nameless'],
      3,
    );
    expect(head).toBe('HTTP/1.1 200 OK\r\nX-Evil: a Set-Cookie: x y\r\nBad_Name___: v\r\n\r\n');
  });

  test('writes the bytes of values that were decoded as UTF-8', () => {
    const head = formatHttpHead(200, ['X-Text', 'žluť'], 3);
    expect(Buffer.from(head, 'latin1').toString('utf8')).toContain('X-Text: žluť\r\n');
  });

  test('has one byte per character', () => {
    const head = formatHttpHead(200, ['X-Text', '日本', 'X-Latin', 'é'], 3);
    expect(/^[\0-\xff]*$/.test(head)).toBe(true);
  });
});

test('a block that is no HTTP response is not taken for one', () => {
  for (const block of ['', 'HTTP/1.1 200 OK\r\n', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 abc\r\n\r\n']) {
    expect(parseHttpHead(Buffer.from(block))).toBeUndefined();
  }
});
