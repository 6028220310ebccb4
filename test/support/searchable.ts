/** Products and pages to be searched for, written past everything that usually writes them. */
import { createHash } from 'node:crypto';
import type { TestDatabase } from './postgres.ts';

export interface PlantedProduct {
  readonly name: string;
  readonly domain?: string;
  readonly description?: string;
  readonly price?: string;
  readonly currency?: string;
  readonly availability?: string;
  readonly rating?: string;
  readonly brand?: string;
  readonly category?: string;
  readonly sku?: string;
  readonly language?: string;
  readonly isMissing?: boolean;
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

export async function plantDomain({ execute }: TestDatabase, domain: string): Promise<number> {
  await execute(
    `insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1 || '/')
     on conflict do nothing`,
    [domain],
  );
  const { rows } = await execute<{ id: number }>('select id from domains where domain = $1', [domain]);
  return rows[0]?.id ?? 0;
}

/** Their numbers, in the order given. */
export async function plantProducts(
  database: TestDatabase,
  products: readonly PlantedProduct[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, product] of products.entries()) {
    const domain = product.domain ?? 'shop.example';
    const domainId = await plantDomain(database, domain);
    const url = `https://${domain}/p/${index}-${encodeURIComponent(product.name)}-${Math.random()}`;
    const { rows } = await database.execute<{ id: number }>(
      `insert into products (domain_id, url, url_hash, name, description, price, currency, availability, rating, brand,
                             category, sku, language, content_hash, source, missing_since)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $3, 'generic',
               case when $14 then forager_now() end) returning id`,
      [
        ...[domainId, url, hash(url), product.name, product.description ?? null, product.price ?? null],
        ...[product.currency ?? (product.price === undefined ? null : 'EUR'), product.availability ?? null],
        ...[product.rating ?? null, product.brand ?? null, product.category ?? null, product.sku ?? null],
        ...[product.language ?? 'en', product.isMissing === true],
      ],
    );
    ids.push(rows[0]?.id ?? 0);
  }
  return ids;
}

export interface PlantedText {
  readonly title: string;
  readonly text: string;
  readonly domain?: string;
  readonly language?: string;
}

/** Pages whose text is indexed already. */
export async function plantPageTexts(
  database: TestDatabase,
  pages: readonly PlantedText[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const { title, text, domain = 'pages.example', language = 'en' } of pages) {
    const domainId = await plantDomain(database, domain);
    const url = `https://${domain}/${Math.random()}`;
    const { rows } = await database.execute<{ id: number }>(
      `insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length, content_hash,
                          title, language, crawl_duration_ms, search_hash)
       values ($1, $2, $3, 0, 200, 1, 1, $2, $4, $5, 1, $2) returning id`,
      [domainId, hash(url), url, title, language],
    );
    const id = rows[0]?.id ?? 0;
    await database.execute(
      `insert into page_texts (domain_id, url_hash, page_id, language, title, text, crawled_at)
       values ($1, $2, $3::bigint, $4, $5, $6, forager_now() + $3::bigint * interval '1 second')`,
      [domainId, hash(url), id, language, title, text],
    );
    ids.push(id);
  }
  return ids;
}
