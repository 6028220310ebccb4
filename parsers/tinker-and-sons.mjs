/**
 * Tinker & Sons, the other shop of the demo web. It says all about its products in JSON-LD; what stands on the page
 * counts, where it says it, since that is what a visitor pays.
 *
 * @type {import('forager/parser').SiteParser}
 */
export default {
  name: 'tinker-and-sons',
  version: '1',
  describe: 'Tinker & Sons, the hardware shop of the demo web',

  isProduct: (page) => /^\/(?:p|c\/[^/]+)\/[^/]+$/.test(new URL(page.url).pathname),

  parse(page) {
    const [product] = page.jsonLd('Product');
    if (product === undefined) return undefined;
    const offer = product.thing('offers');
    const reviews = product.thing('aggregateRating');
    const crumbs = page.jsonLd('BreadcrumbList')[0]?.things('itemListElement') ?? [];
    return {
      name: page.text('.product h1') ?? product.text('name'),
      description: product.text('description'),
      price: page.text('.product .price') ?? offer?.text('price'), // "£12.50"
      currency: offer?.text('priceCurrency'),
      availability: offer?.text('availability'),
      rating: reviews && { value: reviews.text('ratingValue'), best: reviews.text('bestRating') },
      reviewCount: reviews?.text('reviewCount'),
      brand: product.thing('brand')?.text('name'),
      sku: product.text('sku'),
      category: crumbs.slice(1, -1).map((crumb) => crumb.text('name')),
      images: product.texts('image'),
    };
  },
};
