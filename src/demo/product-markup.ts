import { escapeHtml } from './html.ts';
import type { Availability, Product, ShopPlan } from './shop-plan.ts';

const STOCK_WORDS: Readonly<Record<Availability, string>> = {
  InStock: 'In stock, on the shelf by the door',
  OutOfStock: 'Sold out for now',
  PreOrder: 'On its way: order ahead',
};

export function formatPrice(plan: ShopPlan, pence: number): string {
  const amount = (pence / 100).toFixed(2);
  return plan.currency === 'GBP' ? `£${amount}` : `${amount.replace('.', ',')} €`;
}

export function describeStock(availability: Availability): string {
  return STOCK_WORDS[availability];
}

/** Schema.org in one script, with the breadcrumbs beside the product in one graph. */
export function renderJsonLd(plan: ShopPlan, product: Product, origin: string): string {
  const pageUrl = `${origin}p/${product.slug}`;
  const graph = {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Product',
        '@id': `${pageUrl}#product`,
        name: product.name,
        sku: product.sku,
        description: product.blurb,
        image: [`${origin}images/${product.slug}.${plan.pictures}`],
        color: product.colour,
        size: product.size,
        brand: { '@type': 'Brand', name: product.brand },
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: product.ratingTenths / 10,
          reviewCount: product.reviewCount,
        },
        offers: {
          '@type': 'Offer',
          url: pageUrl,
          price: (product.pricePence / 100).toFixed(2),
          priceCurrency: plan.currency,
          availability: `https://schema.org/${product.availability}`,
          itemCondition: 'https://schema.org/NewCondition',
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: plan.name, item: origin },
          {
            '@type': 'ListItem',
            position: 2,
            name: product.category.title,
            item: `${origin}c/${product.category.slug}/`,
          },
          { '@type': 'ListItem', position: 3, name: product.name },
        ],
      },
    ],
  };
  // A closing tag inside a string would end the script.
  return `<script type="application/ld+json">${JSON.stringify(graph).replaceAll('<', '\\u003c')}</script>\n`;
}

/** The price line, either bare or with microdata woven in. */
export function renderOffer(plan: ShopPlan, product: Product): string {
  const price = formatPrice(plan, product.pricePence);
  const stock = describeStock(product.availability);
  if (plan.markup === 'json-ld') {
    return `<p class="price">${price}</p>\n<p class="stock">${stock}</p>`;
  }
  return `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<p class="price"><span itemprop="price" content="${(product.pricePence / 100).toFixed(2)}">${price}</span>
<meta itemprop="priceCurrency" content="${plan.currency}"></p>
<p class="stock"><link itemprop="availability" href="https://schema.org/${product.availability}">${stock}</p>
</div>`;
}

export function renderRating(plan: ShopPlan, product: Product): string {
  const stars = (product.ratingTenths / 10).toFixed(1);
  if (plan.markup === 'json-ld')
    return `<p class="stock">★ ${stars} from ${product.reviewCount} customers</p>`;
  return `<p class="stock" itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">★
<span itemprop="ratingValue">${stars}</span> from <span itemprop="reviewCount">${product.reviewCount}</span> customers</p>`;
}

export function renderFacts(plan: ShopPlan, product: Product): string {
  const property = (name: string): string => (plan.markup === 'microdata' ? ` itemprop="${name}"` : '');
  return `<table>
<tr><th>Number</th><td${property('sku')}>${escapeHtml(product.sku)}</td></tr>
<tr><th>Maker</th><td${property('brand')}>${escapeHtml(product.brand)}</td></tr>
<tr><th>Colour</th><td${property('color')}>${escapeHtml(product.colour)}</td></tr>
<tr><th>Size</th><td${property('size')}>${escapeHtml(product.size)}</td></tr>
</table>`;
}
