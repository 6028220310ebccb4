/**
 * A site parser for Paper Lantern, a shop that does not exist. It has no structured data at all: everything is read
 * from what a visitor sees.
 *
 * @type {import('forager/parser').SiteParser}
 */
export default {
  name: 'paper-lantern',
  version: '2026-03-01',
  describe: 'Paper Lantern (an example)',
  // There is nothing on these pages for the generic parser to find.
  fallback: 'none',

  isProduct: (page) => new URL(page.url).pathname.startsWith('/goods/'),

  parse(page) {
    const goods = page.select('#goods');
    if (goods === undefined) return undefined; // an article that is gone: the page says so in words
    const [points, votes] =
      /(\d+) von 100.*?([\d.]+) Stimmen/.exec(page.text('.marks') ?? '')?.slice(1) ?? [];
    return {
      name: goods.select('h1')?.text(),
      description: goods.select('.text')?.text(),
      price: goods.select('.now strong')?.text(), // "49,90 €": read as a German page writes it
      listPrice: goods.select('.was')?.text(), // "statt 59,90 €": words around a price do no harm
      availability: goods.select('.stock')?.text().split(',')[0], // "Auf Lager"
      rating: points && { value: points, best: 100 }, // becomes 4.35 of 5
      reviewCount: votes,
      brand: goods.select('.maker b')?.text(),
      sku: goods.attribute('data-number'),
      category: page
        .selectAll('.path a')
        .slice(1)
        .map((link) => link.text()),
      images: goods.selectAll('figure img').map((image) => ({
        url: image.attribute('data-large') ?? image.attribute('src'),
        alt: image.attribute('alt'),
      })),
      variants: goods.selectAll('.colours li').map((choice) => ({
        name: choice.text(),
        sku: choice.attribute('data-number'),
        price: { amount: choice.attribute('data-price'), currency: 'EUR' },
        options: { colour: choice.text() },
      })),
    };
  },
};
