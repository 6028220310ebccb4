/** From the bytes of an answer to what the page says. */
import { toUtf8Html } from './decode-body.ts';
import type { ParsedPage } from './parsed-page.ts';
import { parseHtml } from './scan-html.ts';

export interface BodyInput {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly contentLanguage: string | undefined;
  readonly url: string;
  readonly maxLinks: number;
  readonly collectImages?: boolean | undefined;
}

export interface ParsedBody {
  readonly page: ParsedPage;
  readonly charset: string;
  /** In UTF-8, for whoever looks at it once more. */
  readonly html: Buffer;
}

export function parseBody(input: BodyInput): ParsedBody {
  const { html, encoding } = toUtf8Html(input.body, input.contentType);
  const { url, contentLanguage, maxLinks, collectImages } = input;
  const page = parseHtml({ html, url, contentLanguage, maxLinks, collectImages });
  return { page, charset: encoding, html };
}
