import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeHtml, toUtf8Html } from '../../src/engine/parse/decode-body.ts';

const bytes = (text: string, encoding = 'utf8') => iconv.encode(text, encoding);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('decodeHtml: which declaration counts', () => {
  it('takes a byte order mark over everything else, and removes it', () => {
    const utf8 = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('<p>é')]);
    expect(decodeHtml(utf8, 'text/html; charset=windows-1251')).toEqual({ text: '<p>é', encoding: 'utf-8' });
    const le = Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('<p>é', 'utf16le')]);
    expect(decodeHtml(le, 'text/html; charset=utf-8')).toEqual({ text: '<p>é', encoding: 'utf-16le' });
    const be = Buffer.concat([Buffer.from([0xfe, 0xff]), bytes('<p>é', 'utf16be')]);
    expect(decodeHtml(be, undefined)).toEqual({ text: '<p>é', encoding: 'utf-16be' });
  });

  it('takes the charset of the header over that of the markup', () => {
    const body = bytes('<meta charset=utf-8><p>Привет', 'windows-1251');
    expect(decodeHtml(body, 'text/html; charset=windows-1251').text).toContain('Привет');
  });

  it.each([
    'text/html;charset=koi8-r',
    'text/html; Charset = "KOI8-R"',
    "text/html; charset='koi8-r'",
    'text/html; charset="koi8-r',
    'text/html; boundary=x; charset=koi8-r; foo',
    'text/html; charset=bogus, text/html; charset=koi8-r',
    'text/html charset=koi8',
  ])('reads the charset of %s', (contentType) => {
    expect(decodeHtml(bytes('Привет', 'koi8-r'), contentType)).toEqual({
      text: 'Привет',
      encoding: 'koi8-r',
    });
  });

  it('passes over a charset nobody defined', () => {
    expect(
      decodeHtml(bytes('<meta charset=iso-8859-2>ł', 'iso-8859-2'), 'text/html; charset=none').text,
    ).toBe('<meta charset=iso-8859-2>ł');
  });

  it.each([
    '<meta charset="windows-1251">',
    '<META CHARSET=cp1251/>',
    '<!-- <meta charset=utf-8> --><meta charset=windows-1251>',
    '<!doctype html><html><head a="<meta charset=utf-8>"><meta charset=windows-1251>',
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<meta content="text/html; charset=\'windows-1251\'" http-equiv=content-type>',
    '<meta content="text/html; charset=utf-8"><meta charset=windows-1251>',
    '<meta charset=windows-1251 charset=utf-8>',
    '<?xml version="1.0" encoding="windows-1251"?>',
    `<title>${'x'.repeat(3000)}</title><meta charset=windows-1251>`,
  ])('finds the declaration in %.80s', (head) => {
    const { text, encoding } = decodeHtml(bytes(`${head}<p>Привет`, 'windows-1251'), 'text/html');
    expect(encoding).toBe('windows-1251');
    expect(text.endsWith('Привет')).toBe(true);
  });

  it('reads a declaration of utf-16 in ASCII markup as utf-8, and x-user-defined as windows-1252', () => {
    expect(decodeHtml(bytes('<meta charset=utf-16>é'), undefined).encoding).toBe('utf-8');
    expect(decodeHtml(latin1('<meta charset=x-user-defined>\xe9'), undefined)).toEqual({
      text: '<meta charset=x-user-defined>é',
      encoding: 'windows-1252',
    });
  });

  it('survives a declaration cut off anywhere', () => {
    const whole = latin1(
      '<!-- a --><meta http-equiv="content-type" content="text/html; charset=koi8-r">\xc1',
    );
    for (let length = 0; length <= whole.length; length++) {
      expect(typeof decodeHtml(whole.subarray(0, length), undefined).text).toBe('string');
    }
  });
});

describe('decodeHtml: bytes that say otherwise', () => {
  it('takes valid UTF-8 without a declaration for UTF-8', () => {
    expect(decodeHtml(bytes('<p>naïve — 日本'), undefined)).toEqual({
      text: '<p>naïve — 日本',
      encoding: 'utf-8',
    });
  });

  it('does not believe utf-8 of bytes that are not, and falls back to what the markup declares', () => {
    const body = bytes('<meta charset=shift_jis><p>こんにちは', 'shift_jis');
    expect(decodeHtml(body, 'text/html; charset=utf-8')).toMatchObject({ encoding: 'shift_jis' });
  });

  it('stays with utf-8 when a few bytes of it are damaged', () => {
    const body = Buffer.concat([
      bytes('Grüße aus Köln, schöne Straße '),
      Buffer.from([0xe4]),
      bytes(' ende'),
    ]);
    expect(decodeHtml(body, 'text/html; charset=utf-8')).toEqual({
      text: 'Grüße aus Köln, schöne Straße \ufffd ende',
      encoding: 'utf-8',
    });
  });

  it.each([
    ['windows-1251', 'Сегодня в городе прошёл большой праздник, собравший тысячи жителей и гостей столицы.'],
    ['koi8-r', 'сегодня в городе прошёл большой праздник, собравший тысячи жителей и гостей столицы.'],
    ['shift_jis', 'これは日本語のページです。今日は天気がいいから、散歩に行きましょう。カタカナも。'],
    ['euc-jp', 'これは日本語のページです。今日は天気がいいから、散歩に行きましょう。カタカナも。'],
    ['gb18030', '今天天气很好，我们一起去公园散步吧。这个网站的中文编码没有声明。欢迎大家来到这里。'],
    ['big5', '今天天氣很好，我們一起去公園散步吧。這個網站的中文編碼沒有聲明。歡迎大家來到這裡。'],
    ['euc-kr', '오늘은 날씨가 아주 좋습니다. 우리는 함께 공원으로 산책을 갑니다. 안녕하세요 여러분.'],
    ['windows-1252', 'L’été dernier, nous sommes allés à la plage où les élèves ont déjà mangé des gâteaux.'],
    ['iso-8859-2', 'Zażółć gęślą jaźń, łódź płynie środkiem rzeki, a ścieżka wije się między wzgórzami.'],
  ])('guesses %s from the bytes alone', (encoding, text) => {
    expect(decodeHtml(bytes(`<p>${text}`, encoding), 'text/html; charset=utf-8')).toEqual({
      text: `<p>${text}`,
      encoding,
    });
  });

  it('lets the language of the page decide between alphabets', () => {
    const text = '<html lang="el"><p>Καλημέρα κόσμε';
    expect(decodeHtml(bytes(text, 'windows-1253'), undefined)).toEqual({ text, encoding: 'windows-1253' });
  });
});

describe('decodeHtml: decoders of the Encoding standard', () => {
  const point = (contentType: string, ...codes: number[]) => decodeHtml(Buffer.from(codes), contentType).text;

  it('decodes everything labelled Latin-1 as windows-1252', () => {
    for (const label of ['iso-8859-1', 'latin1', 'us-ascii', 'windows-1252', 'cp1252']) {
      expect(point(`text/html;charset=${label}`, 0x80, 0x81, 0x93, 0x9f, 0xe9)).toBe('€\u0081“Ÿé');
    }
  });

  it.each([
    ['iso-8859-16', [0xaa, 0xfe], 'Șț'],
    ['x-user-defined', [0x41, 0x80, 0xff], 'A\uf780\uf7ff'],
    ['windows-1255', [0xca], '\u05ba'],
    ['windows-1253', [0xaa], '\ufffd'],
    ['windows-874', [0xdb, 0xa1], '\ufffdก'],
    ['koi8-u', [0xae, 0xbe], 'ўЎ'],
    ['big5', [0x87, 0x40], '\u43f0'],
    ['euc-kr', [0x81, 0x41], '갂'],
    ['shift_jis', [0x81, 0x60, 0x5c, 0xb1], '～\\ｱ'],
    ['euc-jp', [0x8f, 0xb0, 0xa1], '丂'],
    ['gbk', [0x80, 0xa2, 0xe3], '€€'],
    ['gb18030', [0x90, 0x30, 0x81, 0x30], '\u{10000}'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x33, 0x1b, 0x28, 0x42], 'こ'],
    ['iso-2022-kr', [0x41, 0x42], '\ufffd'],
  ])('decodes %s', (label, codes, expected) => {
    expect(point(`text/html;charset=${label}`, ...codes)).toBe(expected);
  });

  it('does not let a broken double byte swallow the markup behind it', () => {
    for (const label of ['shift_jis', 'euc-jp', 'gbk', 'big5', 'euc-kr']) {
      expect(point(`text/html;charset=${label}`, 0xfa, 0x3c, 0x61)).toBe('\ufffd<a');
    }
  });
});

describe('toUtf8Html', () => {
  it('hands valid UTF-8 through without a copy', () => {
    const body = bytes('<p>é');
    expect(toUtf8Html(body, 'text/html; charset=utf-8').html).toBe(body);
  });

  it('gives the UTF-8 bytes of what decodeHtml gives', () => {
    const bodies = [
      bytes('<p>Привет', 'windows-1251'),
      Buffer.from([0x61, 0xc3, 0xa9, 0xc3, 0xa9, 0xff]),
      bytes('\ufeffx'),
    ];
    for (const body of bodies) {
      const { text, encoding } = decodeHtml(body, undefined);
      expect(toUtf8Html(body, undefined)).toEqual({ html: Buffer.from(text), encoding });
    }
  });
});
