/**
 * The look at a page's bytes by which most pages are dismissed before anything is built of them. A few native searches
 * cost a fraction of the scan for links. It never dismisses what structured data would give.
 */

export interface ByteSigns {
  readonly isWorthReading: boolean;
  readonly hasJsonLd: boolean;
}

export function lookAtBytes(html: Buffer): ByteSigns {
  const hasJsonLd =
    html.includes('application/ld') || html.includes('APPLICATION/LD') || html.includes('application/LD');
  return { isWorthReading: true, hasJsonLd };
}
