/**
 * Moss & Marrow, one of the two shops of the demo web. Its pages carry microdata, which the generic parser reads; this
 * one reads what a visitor sees, and adds what the microdata leaves out: where a thing stands in the shop.
 *
 * @type {import('forager/parser').SiteParser}
 */
export default {
  name: 'moss-and-marrow',
  version: '1',
  describe: 'Moss & Marrow, the garden shop of the demo web',

  // A product has an address of its own, and some a second one below their category.
  isProduct: (page) => /^\/(?:p|c\/[^/]+)\/[^/]+$/.test(new URL(page.url).pathname),

  parse(page) {
    const product = page.select('.product');
    if (product === undefined) return undefined;
    const fact = (label) => product.select(`tr:has(th:contains("${label}")) td`)?.text();
    return {
      name: product.select('h1')?.text(),
      description: product.select('h1 + p')?.text(),
      price: product.select('.price')?.text(), // "12,50 €"
      currency: 'EUR',
      availability: stockOf(product.select('link[itemprop=availability]'), product.select('.stock')?.text()),
      rating: product.select('[itemprop=ratingValue]')?.text(),
      reviewCount: product.select('[itemprop=reviewCount]')?.text(),
      brand: fact('Maker'),
      sku: fact('Number'),
      // The first is the shop, the last the product itself.
      category: page
        .selectAll('nav[aria-label="You are here"] a')
        .slice(1)
        .map((link) => link.text()),
      images: product.selectAll('img').map((image) => ({
        url: image.attribute('src'),
        alt: image.attribute('alt'),
      })),
    };
  },
};

/** The words are the shop's own ("On its way: order ahead"); beside them it says what they mean. */
function stockOf(link, words) {
  return link?.attribute('href') ?? words;
}
