/**
 * Product pages of Amazon, as they have been built for years: parts with ids that stay, each in several shapes. What is
 * not there in one is looked for in the next. Shops change; "forager parser compare" tells how well it does on pages
 * that you have.
 *
 * @type {import('forager/parser').SiteParser}
 */
export default {
  name: 'amazon',
  version: '1',
  describe: 'Product pages of Amazon (amazon.com, amazon.de, amazon.co.uk and the others)',

  // /dp/B0…, /gp/product/B0…, /Some-Words/dp/B0…/ref=…
  isProduct: (page) => asinOfUrl(page.url) !== undefined,

  parse(page) {
    const name = page.text('#productTitle') ?? page.text('#ebooksProductTitle') ?? page.text('#title');
    if (name === undefined) return undefined;
    const asin = page.attribute('input#ASIN, input[name=ASIN], input[name="ASIN.0"]', 'value');
    return {
      name,
      description: descriptionOf(page),
      ...pricesOf(page),
      currency: CURRENCIES[new URL(page.url).hostname.replace(/^.*?amazon\./, '')],
      availability: availabilityOf(page),
      rating: page.attribute('#acrPopover', 'title') ?? page.text('#acrPopover .a-icon-alt'),
      reviewCount: page.text('#acrCustomerReviewText'),
      brand: brandOf(page),
      category: page
        .selectAll('#wayfinding-breadcrumbs_feature_div a')
        .map((link) => link.text())
        .filter((text) => !/^(?:‹|back to results)/i.test(text)),
      sku: asin ?? asinOfUrl(page.url),
      mpn: detailOf(page, /^(?:item model number|model number|modellnummer|part number)/i),
      gtin: detailOf(page, /^(?:isbn-13|ean|gtin|upc)/i),
      images: imagesOf(page),
      variants: variantsOf(page),
    };
  },
};

/** A page says "$" or "€" and means that of its country. */
const CURRENCIES = {
  com: 'USD',
  'co.uk': 'GBP',
  de: 'EUR',
  fr: 'EUR',
  it: 'EUR',
  es: 'EUR',
  nl: 'EUR',
  ie: 'EUR',
  be: 'EUR',
  'com.be': 'EUR',
  ca: 'CAD',
  'com.au': 'AUD',
  'co.jp': 'JPY',
  in: 'INR',
  'com.br': 'BRL',
  'com.mx': 'MXN',
  pl: 'PLN',
  se: 'SEK',
  'com.tr': 'TRY',
  ae: 'AED',
  sa: 'SAR',
  sg: 'SGD',
};

function asinOfUrl(url) {
  return /\/(?:dp|gp\/product|gp\/aw\/d|exec\/obidos\/ASIN)\/([A-Z0-9]{10})(?:[/?#]|$)/.exec(
    new URL(url).pathname,
  )?.[1];
}

/** Where the price to be paid stands, the likeliest first. Prices of other offers and per unit are elsewhere. */
const PRICE_PLACES = [
  '#corePrice_feature_div .a-price:not([data-a-strike=true]):not(.a-text-price) .a-offscreen',
  '#corePriceDisplay_desktop_feature_div .priceToPay .a-offscreen',
  '#corePriceDisplay_desktop_feature_div .priceToPay',
  '#apex_desktop .apexPriceToPay .a-offscreen',
  '#corePrice_desktop .apexPriceToPay .a-offscreen',
  '#priceblock_dealprice',
  '#priceblock_saleprice',
  '#priceblock_ourprice',
  '#price_inside_buybox',
  '#kindle-price',
  '#price',
];

const LIST_PRICE_PLACES = [
  '.basisPrice .a-offscreen',
  '#corePriceDisplay_desktop_feature_div .a-price[data-a-strike=true] .a-offscreen',
  '#corePrice_desktop .a-price[data-a-strike=true] .a-offscreen',
  '#priceblock_ourprice_row .priceBlockStrikePriceString',
  '#listPrice',
];

function pricesOf(page) {
  const first = (places) => {
    for (const css of places) {
      const text = page.text(css);
      if (text !== undefined && /\d/.test(text)) return text;
    }
    return undefined;
  };
  const range = page
    .selectAll('#corePrice_desktop .a-price-range .a-offscreen, .a-price-range .a-price .a-offscreen')
    .map((price) => price.text());
  const list = first(LIST_PRICE_PLACES);
  if (range.length >= 2) return { price: range[0], priceHigh: range[1], listPrice: list };
  return { price: first(PRICE_PLACES), listPrice: list };
}

/** The words of the box; where there is none, whether it can be bought. */
function availabilityOf(page) {
  const words =
    page.text('#availability > span') ?? page.text('#availability') ?? page.text('#outOfStock span');
  if (words !== undefined) return words.split(/\s{2,}|(?<=[.!])\s/)[0];
  return page.select('#add-to-cart-button, #buy-now-button') === undefined ? undefined : 'in_stock';
}

/** "Visit the Kettle & Co Store", "Brand: Kettle & Co", "Besuche den Kettle & Co-Store". */
function brandOf(page) {
  const row = page.text('.po-brand .po-break-word') ?? page.text('tr.po-brand td:nth-child(2)');
  if (row !== undefined) return row;
  const line = page.text('#bylineInfo') ?? page.text('#brand');
  return line
    ?.replace(
      /^(?:visit the|besuche den|besuchen sie den|visiter la boutique|visita lo store di|visita la tienda de)\s+/i,
      '',
    )
    .replace(/^(?:brand|marke|marque|marca|merk)\s*:\s*/i, '')
    .replace(/[\s-]+(?:store|shop)$/i, '')
    .trim();
}

function descriptionOf(page) {
  const points = page
    .selectAll('#feature-bullets li:not(.aok-hidden) .a-list-item')
    .map((point) => point.text())
    .filter((text) => text !== '');
  const prose = page.text('#productDescription') ?? page.text('#bookDescription_feature_div');
  return [...points, ...(prose === undefined ? [] : [prose])].join('\n') || undefined;
}

/** All sizes of an image stand in one attribute, as JSON: { "https://…": [width, height], … }. */
function imagesOf(page) {
  const landing = page.select('#landingImage, #imgBlkFront, #ebooksImgBlkFront');
  const main = largestOf(landing?.attribute('data-a-dynamic-image')) ?? landing?.attribute('data-old-hires');
  const thumbnails = page
    .selectAll('#altImages li.imageThumbnail img, #altImages li.item img')
    .map((image) => fullSize(image.attribute('src')));
  const alt = landing?.attribute('alt');
  const first = main || landing?.attribute('src');
  return [...(first ? [{ url: first, alt }] : []), ...thumbnails.filter(Boolean)];
}

function largestOf(json) {
  if (json === undefined) return undefined;
  try {
    const sizes = Object.entries(JSON.parse(json));
    sizes.sort(([, a], [, b]) => b[0] * b[1] - a[0] * a[1]);
    return sizes[0]?.[0];
  } catch {
    return undefined;
  }
}

/** "…/I/41abc._AC_US40_.jpg" is "…/I/41abc.jpg", made small. */
function fullSize(url) {
  return url?.replace(/\._[^/]*_(?=\.\w+$)/, '');
}

/** Rows of the tables of details, whichever of the three shapes the page has. */
function detailOf(page, label) {
  const rows = page.selectAll(
    '#productDetails_techSpec_section_1 tr, #productDetails_detailBullets_sections1 tr, #prodDetails tr',
  );
  for (const row of rows) {
    if (label.test(row.select('th')?.text() ?? '')) return clean(row.select('td')?.text());
  }
  for (const item of page.selectAll('#detailBullets_feature_div li')) {
    const name = item.select('.a-text-bold')?.text() ?? '';
    if (label.test(name)) return clean(item.text().slice(name.length));
  }
  return undefined;
}

/** Direction marks and colons stand around these values. */
function clean(text) {
  return text
    ?.replace(/[\u200e\u200f]/g, '')
    .replace(/^[\s:]+/, '')
    .trim();
}

/** What can be chosen: each choice has an ASIN, and with it an address of its own. */
function variantsOf(page) {
  const variants = [];
  for (const group of page.selectAll('#twister [id^=variation_]')) {
    const kind = group.attribute('id').replace(/^variation_|_name$/g, '');
    for (const choice of group.selectAll('li[data-defaultasin], li[data-asin], li[data-dp-url]')) {
      const asin = choice.attribute('data-defaultasin') || choice.attribute('data-asin');
      const name = choice.attribute('title')?.replace(/^(?:click to select|klicken.*?auswählen:?)\s*/i, '');
      const value = name || choice.select('img')?.attribute('alt') || choice.text();
      if (!value) continue;
      variants.push({
        name: value,
        sku: asin,
        url: asin && `/dp/${asin}`,
        price: choice.select('.twisterSwatchPrice, .a-price .a-offscreen')?.text(),
        options: { [kind]: value },
      });
    }
  }
  return variants;
}
