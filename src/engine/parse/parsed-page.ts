/** What the streaming parser reads from one HTML page. Strings are copies: none pins the page in memory. */
export interface ParsedPage {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Absolute URL of rel=canonical, resolved against the base. */
  readonly canonicalUrl: string | undefined;
  /** From <html lang>, else Content-Language; lower case BCP 47. */
  readonly language: string | undefined;
  /** Content of every <meta name=robots> and of agent-specific robots metas, with the name they carried. */
  readonly robotsMetas: ReadonlyArray<{ readonly name: string; readonly content: string }>;
  /** Base for resolving links: <base href> resolved against the page's URL, else the page's URL. */
  readonly baseUrl: string;
  /** Links in document order, as written (trimmed, entities decoded), unresolved, duplicates removed. */
  readonly links: readonly RawLink[];
  /** How many link elements there were before the cap and before removing duplicates. */
  readonly linksSeen: number;
  /** <meta http-equiv=refresh> target as written, if any. */
  readonly refreshUrl: string | undefined;
  /** Length in characters of the visible text. */
  readonly textLength: number;
  /** SHA-256 of the visible text (whitespace collapsed). */
  readonly contentHash: Buffer;
  /** 64-bit SimHash of the visible text, for near-duplicates. */
  readonly simhash: bigint;
  readonly imageCount: number;
  /** In the order of the page, unresolved; undefined: nobody asked for them. */
  readonly images: FoundImages | undefined;
  /** There is a field for a password: a login, or a page with a login on it. */
  readonly hasPasswordInput: boolean;
}

export interface RawLink {
  readonly href: string;
  readonly kind: 'anchor' | 'area' | 'frame' | 'alternate' | 'canonical' | 'next' | 'prev';
  /** rel=nofollow, ugc or sponsored on this very link. */
  readonly isNofollow: boolean;
}

export interface FoundImages {
  readonly found: readonly RawImage[];
  /** How many carried their bytes within the page. */
  readonly inlineCount: number;
  /** How many were said to be no larger than a pixel. */
  readonly pixelCount: number;
}

export interface RawImage {
  /** As written, unresolved. */
  readonly url: string;
  readonly alt: string | undefined;
}
