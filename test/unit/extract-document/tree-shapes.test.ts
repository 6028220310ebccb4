import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/engine/extract/document/page-document.ts';
import { bodyOf, treeOf } from './tree.ts';

describe('the tree of a page', () => {
  it('has what the tags say', () => {
    expect(
      treeOf('<!doctype html><html><head><title>T</title></head><body><p>one <b>two</b></p></body></html>'),
    ).toBe('html(head(title("T")) body(p("one" b("two"))))');
  });

  it('has html, head and body even where their tags were left out', () => {
    expect(treeOf('<title>x</title><meta name=a><div>1</div>')).toBe(
      'html(head(title("x") meta) body(div("1")))',
    );
    expect(treeOf('<p>1</body><p>2</html><p>3')).toBe('html(body(p("1") p("2") p("3")))');
  });

  it('ends the head where something begins that cannot stand in it', () => {
    expect(treeOf('<html><head><title>x</title><div>1</div>')).toBe('html(head(title("x")) body(div("1")))');
  });

  it('takes what a late body tag says for the body that was already there', () => {
    const page = parseDocument(Buffer.from('<html lang=en><div>a</div><body class="shop" itemscope><p>b'));
    expect(page.select('body.shop > p')).toHaveLength(1);
    expect(page.selectFirst('body')?.hasAttribute('itemscope')).toBe(true);
    expect(page.named('body')).toHaveLength(1);
  });

  it.each([
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e', 'ul(li("a") li("b" ul(li("c"))) li("d")) "e"'],
    ['<p>a<p>b<div>c</div>d', 'p("a") p("b") div("c") "d"'],
    ['<p>a<b>b<div>c</div>', 'p("a" b("b")) div("c")'],
    ['<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'dl(dt("a") dd("b") dt("c") dd("d"))'],
    [
      '<select><option>a<option>b<optgroup><option>c</select>',
      'select(option("a") option("b") optgroup(option("c")))',
    ],
    ['<h1>a<h2>b</h2>', 'h1("a") h2("b")'],
    ['<h1>a</h2>b', 'h1("a") "b"'],
    ['<a href=1>a<a href=2>b</a>c', 'a("a") a("b") "c"'],
    ['<button>a<button>b', 'button("a") button("b")'],
    ['<form>a<form>b</form>c', 'form("a b") "c"'],
  ])('ends what ends by itself: %s', (html, tree) => {
    expect(bodyOf(html)).toBe(tree);
  });

  it.each([
    ['<table><tr><td>1<td>2<tr><td>3</table>', 'table(tbody(tr(td("1") td("2")) tr(td("3"))))'],
    ['<table><thead><tr><th>1<tbody><tr><td>2</table>', 'table(thead(tr(th("1"))) tbody(tr(td("2"))))'],
    ['<table><td>1</table>', 'table(tbody(tr(td("1"))))'],
    [
      '<table><tr><td><table><tr><td>in</table>out</table>',
      'table(tbody(tr(td(table(tbody(tr(td("in")))) "out"))))',
    ],
    ['<table><tr><td><p>1</td></p><td>2</table>', 'table(tbody(tr(td(p("1")) td("2"))))'],
    ['<div><table><tr><td>1</div>2</table>', 'div(table(tbody(tr(td("1 2")))))'],
  ])('keeps tables together: %s', (html, tree) => {
    expect(bodyOf(html)).toBe(tree);
  });

  it.each([
    ['<b>1<p>2</b>3</p>4', 'b("1" p("23")) "4"'],
    ['<a><div>1</a>2</div>3', 'a(div("12")) "3"'],
    ['<div><span>1</div>2</span>3', 'div(span("1")) "23"'],
    ['<span><div>1</span>2</div>3', 'span(div("12") "3")'],
    ['<x-card>1<x-card>2</x-card></x-card>3', 'x-card("1" x-card("2")) "3"'],
    ['</div></p></b>1', '"1"'],
  ])('makes the best of tags that cross: %s', (html, tree) => {
    expect(bodyOf(`<body>${html}`)).toBe(tree);
  });

  it.each([
    ['<br>1<img src=x>2<input><hr>3', 'br "1" img "2" input hr "3"'],
    ['<div/>1', 'div("1")'],
    ['<svg><path/><g>1</g></svg>2', 'svg(path g("1")) "2"'],
    ['<svg><title>a<b>c</b></title><style>x</style></svg>', 'svg(title("a" b("c")) style("x"))'],
    ['<svg><![CDATA[ <a> & ]]></svg>', 'svg("<a> &")'],
    ['<svg><g><div>1</div>', 'svg(g) div("1")'],
    ['<svg><foreignObject><p>1</foreignObject></svg>2', 'svg(foreignobject(p("1"))) "2"'],
    ['<math><mi>x</mi><mo>=</mo></math>', 'math(mi("x") mo("="))'],
  ])('knows which elements hold nothing, and the rules of SVG and MathML: %s', (html, tree) => {
    expect(bodyOf(`<body>${html}`)).toBe(tree);
  });

  it.each([
    ['<script>if (a<b) "</p>"</script>1', 'script("if (a<b) \\"</p>\\"") "1"'],
    ['<script><!-- <script> </script> --></script>1', 'script("<!-- <script> </script> -->") "1"'],
    ['<textarea><b>&amp;</b></textarea>1', 'textarea("<b>&</b>") "1"'],
    ['<style>p > b {}</style>1', 'style("p > b {}") "1"'],
    ['<iframe><p>1</iframe>2', 'iframe("<p>1") "2"'],
    ['<noscript><img src=x></noscript>', 'noscript(img)'],
    ['<!-- <p> -->1<!bogus>2<?php ?>3</ x>4', '"1234"'],
    ['1 < 2 <3 <', '"1 < 2 <3 <"'],
  ])('reads raw text, comments and stray signs as the standard does: %s', (html, tree) => {
    expect(bodyOf(`<body>${html}`)).toBe(tree);
  });

  it('leaves out a tag that the end of the page cuts off', () => {
    expect(bodyOf('<body><p>1<a href="x')).toBe('p("1")');
  });
});
