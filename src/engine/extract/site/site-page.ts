/** A page as a site parser sees it. The tree is built when it is asked for: a look at the URL costs nothing. */
import type {
  GenericProduct,
  PageElement,
  PriceHints,
  ReadPrice,
  SitePage,
  StructuredThing,
} from '../../../parser/site-parser.ts';
import { type DocumentElement, type PageDocument, parseDocument } from '../document/page-document.ts';
import type { PageInput } from '../extract-page.ts';
import { countryOf } from '../product/page-context.ts';
import { absoluteUrl } from '../product/page-urls.ts';
import type { Extraction } from '../product-fields.ts';
import { readJsonLd } from '../structured/json-ld.ts';
import { readPrice } from '../values/read-price.ts';
import { findThings, type StructuredReader, wrapItem } from './structured-things.ts';

export class ParserPage implements SitePage {
  readonly url: string;
  readonly language: string | undefined;
  readonly #input: PageInput;
  readonly #extractGeneric: () => Extraction;
  #document: PageDocument | undefined;
  #structured: StructuredReader | undefined;

  constructor(input: PageInput, extractGeneric: () => Extraction) {
    this.url = input.url;
    this.language = input.language;
    this.#input = input;
    this.#extractGeneric = extractGeneric;
  }

  select(css: string): PageElement | undefined {
    return wrap(this.#tree(), this.#tree().selectFirst(css));
  }

  selectAll(css: string): readonly PageElement[] {
    const tree = this.#tree();
    return tree.select(css).map((element) => new ParserElement(tree, element));
  }

  text(css: string): string | undefined {
    return this.select(css)?.text() || undefined;
  }

  attribute(css: string, name: string): string | undefined {
    return this.select(css)?.attribute(name);
  }

  jsonLd(type?: string): readonly StructuredThing[] {
    this.#structured ??= readJsonLd(this.#input.html, this.language);
    const { items } = this.#structured;
    return type === undefined ? items.map(wrapItem) : findThings(items, type);
  }

  generic(): GenericProduct | undefined {
    const { verdict, fields } = this.#extractGeneric();
    if (verdict === 'none') return undefined;
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
  }

  price(text: string | undefined, hints: PriceHints = {}): ReadPrice | undefined {
    if (typeof text !== 'string') return undefined;
    const reading = readPrice(text, { ...this.priceHints(), currency: hints.currency });
    if (reading === undefined) return undefined;
    return { amount: reading.amount, high: reading.high, currency: reading.currency };
  }

  absolute(url: string | undefined): string | undefined {
    return typeof url === 'string' ? absoluteUrl(url, this.#input.baseUrl) : undefined;
  }

  /** What the page as a whole says about how its prices are written. */
  priceHints(): { readonly language: string | undefined; readonly country: string | undefined } {
    return { language: this.language, country: countryOf(this.url) };
  }

  #tree(): PageDocument {
    this.#document ??= parseDocument(this.#input.html);
    return this.#document;
  }
}

class ParserElement implements PageElement {
  readonly #tree: PageDocument;
  readonly #element: DocumentElement;

  constructor(tree: PageDocument, element: DocumentElement) {
    this.#tree = tree;
    this.#element = element;
  }

  get tagName(): string {
    return this.#element.name;
  }

  text(): string {
    return this.#element.text();
  }

  raw(): string {
    return this.#element.rawText();
  }

  attribute(name: string): string | undefined {
    return this.#element.attribute(name.toLowerCase());
  }

  select(css: string): PageElement | undefined {
    return wrap(this.#tree, this.#tree.selectFirst(css, this.#element));
  }

  selectAll(css: string): readonly PageElement[] {
    return this.#tree.select(css, this.#element).map((element) => new ParserElement(this.#tree, element));
  }
}

function wrap(tree: PageDocument, element: DocumentElement | undefined): PageElement | undefined {
  return element === undefined ? undefined : new ParserElement(tree, element);
}
