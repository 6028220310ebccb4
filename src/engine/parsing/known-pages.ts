/** What is known of the URLs that stored bodies were read from: before they are parsed, and again when that is written. */
import type { Queryable } from '../../platform/database.ts';
import { byteaArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DueRow } from '../frontier/read-window.ts';

const readKnown = loadSql(import.meta.url, './read-known.sql');

export interface KnownPage extends Omit<DueRow, 'url'> {
  readonly domain_id: number;
  /** There is a row for the URL. */
  readonly is_known: boolean;
  /** When it was last visited. */
  readonly seen_at: Date | null;
  /** Where the body of its page is kept. */
  readonly segment_id: number | null;
  readonly segment_offset: number | null;
}

export interface UrlKey {
  readonly domainId: number;
  readonly hash: Buffer;
}

export class KnownPages {
  readonly #pages: ReadonlyMap<string, KnownPage>;

  private constructor(pages: ReadonlyMap<string, KnownPage>) {
    this.#pages = pages;
  }

  static async read(db: Queryable, keys: readonly UrlKey[]): Promise<KnownPages> {
    if (keys.length === 0) return new KnownPages(new Map());
    const { rows } = await db.query<KnownPage>(readKnown, [
      numberArray(keys.map(({ domainId }) => domainId)),
      byteaArray(keys.map(({ hash }) => hash)),
    ]);
    return new KnownPages(
      new Map(rows.map((row) => [urlKey({ domainId: row.domain_id, hash: row.url_hash }), row])),
    );
  }

  get(key: UrlKey): KnownPage | undefined {
    return this.#pages.get(urlKey(key));
  }
}

export function urlKey({ domainId, hash }: UrlKey): string {
  return `${domainId}:${hash.toString('latin1')}`;
}
