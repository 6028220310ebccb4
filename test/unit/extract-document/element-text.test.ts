import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/engine/extract/document/page-document.ts';
import { visibleText } from '../../../src/engine/parse/scan-html.ts';

const page = (html: string) => parseDocument(Buffer.from(html));
const textOf = (html: string) => page(html).root.text();

describe('the text of an element', () => {
  it.each([
    ['  a \n b&nbsp;&nbsp;c ', 'a b c'],
    ['<p>a</p><p>b</p>', 'a b'],
    ['a<br>b', 'a b'],
    ['<b>a</b>b', 'ab'],
    ['<td>a</td><td>b', 'a b'],
    ['12<sup>99</sup> &euro;', '1299 €'],
    ['a<script>x</script><style>y</style><template>z</template><noscript>w</noscript>b', 'ab'],
    ['a<!-- x -->b', 'ab'],
    ['&#x1F388; &amp;amp; &lt;b&gt;', '🎈 &amp; <b>'],
    ['<svg><text>a</text><![CDATA[b]]></svg>', 'ab'],
    ['<form>a<form>b</form>c', 'a b c'],
  ])('%s', (html, text) => {
    expect(textOf(`<body>${html}`)).toBe(text);
  });

  it('is what the page scanner sees, where nothing is hidden', () => {
    for (const html of [
      '<body><h1>A &amp; B</h1><ul><li>one<li>two <i>three</i></ul><p>x<div>y</div>z</body>',
      'a <b>b</i> c<p>d</b></p><!-- e --> &lt; f <table><tr>g<td>h</table></',
      '<a title="x>y">1</a><a title=x>2</ a>3<?4?>5<!6>7<',
    ]) {
      expect(textOf(html)).toBe(visibleText(html));
    }
  });

  it('of a script or a template is there, if it is asked for itself', () => {
    const document = page('<body><template><p>a</p></template><script>1 < 2</script><noscript>b</noscript>');
    expect(document.selectFirst('template')?.text()).toBe('a');
    expect(document.selectFirst('script')?.text()).toBe('1 < 2');
    expect(document.selectFirst('script')?.rawText()).toBe('1 < 2');
    expect(document.selectFirst('noscript')?.text()).toBe('b');
  });

  it('that stands in it directly leaves out what is in elements', () => {
    const document = page('<p>Price: <b>12</b> EUR<i>!</i></p>');
    expect(document.selectFirst('p')?.ownText()).toBe('Price: EUR');
    expect(document.selectFirst('b')?.ownText()).toBe('12');
  });

  it('is cut at the number of characters asked for, never inside one', () => {
    const document = page(`<p>${'🎈'.repeat(10)}</p><div>${'word '.repeat(10_000)}</div>`);
    expect(document.selectFirst('p')?.text(5)).toBe('🎈🎈');
    expect(document.selectFirst('div')?.text(9)).toBe('word word');
    expect(document.selectFirst('div')?.text(10)).toBe('word word');
    expect(document.selectFirst('div')?.text(1000)).toHaveLength(999);
    expect(document.selectFirst('div')?.text(0)).toBe('');
  });

  it('is the beginning of the whole, however much is asked for', () => {
    const html = `<div>${'é&amp;漢🎈 <b>x</b>&nbsp;<!-- c -->'.repeat(3000)}</div>`;
    const div = page(html).selectFirst('div');
    const whole = div?.text() ?? '';
    for (const length of [1, 7, 100, 4000, 4096, 9999, 20_000]) {
      const part = div?.text(length) ?? '';
      expect(whole.startsWith(part)).toBe(true);
      expect(part.length).toBeGreaterThanOrEqual(Math.min(whole.length, length) - 2);
    }
  });
});

describe('the attributes of an element', () => {
  const div = () =>
    page(
      `<div CLASS="a &amp; b" id=x data-N='1"2' hidden class=second =odd  title="a&copy=b" / lang = de>x`,
    ).selectFirst('div');

  it.each([
    ['class', 'a & b'],
    ['id', 'x'],
    ['data-n', '1"2'],
    ['hidden', ''],
    ['=odd', ''],
    ['title', 'a&copy=b'],
    ['lang', 'de'],
    ['none', undefined],
    ['cla', undefined],
  ])('%s is %j', (name, value) => {
    expect(div()?.attribute(name)).toBe(value);
    expect(div()?.hasAttribute(name)).toBe(value !== undefined);
  });

  it('are the same, asked for one by one and all together', () => {
    const many = Array.from({ length: 300 }, (_, index) => `a${index}="v${index}"`).join(' ');
    const element = page(`<p ${many}>x`).selectFirst('p');
    expect(element?.attributes().size).toBe(300);
    expect(element?.attribute('a299')).toBe('v299');
    expect(element?.attribute('a300')).toBeUndefined();
    expect([...(div()?.attributes().keys() ?? [])]).toEqual([
      'class',
      'id',
      'data-n',
      'hidden',
      '=odd',
      'title',
      'lang',
    ]);
  });

  it('are found by id, the first of several', () => {
    const document = page('<p id=a>1<p id=a>2<p id=b>3');
    expect(document.byId('a')?.text()).toBe('1');
    expect(document.byId('c')).toBeUndefined();
  });
});
