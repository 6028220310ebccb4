/** Pages made up for these tests, built as product pages of Amazon are. */
import { expect, test } from 'vitest';
import { extractPage } from '../../../src/engine/extract/extract-page.ts';
import type { Extraction } from '../../../src/engine/extract/product-fields.ts';
import { openParsers } from '../../../src/engine/extract/site/open-parsers.ts';

async function read(url: string, body: string, language = 'en-us'): Promise<Extraction> {
  const parser = (await openParsers()).find('amazon');
  if (parser === undefined) throw new Error('there is no parser for Amazon');
  const html = Buffer.from(`<!doctype html><html lang="${language}"><body>${body}</body></html>`);
  return extractPage(parser, { html, url, baseUrl: url, language });
}

function valuesOf({ fields }: Extraction): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

const KETTLE = `
<div id="wayfinding-breadcrumbs_feature_div"><ul><li><a href="/s?k=1">Home &amp; Kitchen</a></li><li>›</li>
<li><a href="/s?k=2">Kettles</a></li></ul></div>
<form id="addToCart"><input type="hidden" id="ASIN" name="ASIN" value="B0DEMOKTL1"></form>
<h1 id="title"><span id="productTitle">   Hesper Works Patient Kettle, 1.7 l, Copper   </span></h1>
<a id="bylineInfo" href="/stores/hesper">Visit the Hesper Works Store</a>
<span id="acrPopover" title="4.6 out of 5 stars"><i><span class="a-icon-alt">4.6 out of 5 stars</span></i></span>
<span id="acrCustomerReviewText">12,345 ratings</span>
<div id="corePriceDisplay_desktop_feature_div">
  <span class="a-price priceToPay"><span class="a-offscreen">$1,049.99</span><span aria-hidden="true">$1,049<sup>99</sup></span></span>
  <span class="basisPrice">List Price: <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">$1,299.00</span></span></span>
</div>
<div id="corePrice_feature_div"><span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">$1,299.00</span></span>
  <span class="a-price"><span class="a-offscreen">$1,049.99</span></span></div>
<div id="availability"><span class="a-size-medium a-color-success"> In Stock </span></div>
<div id="feature-bullets"><ul><li><span class="a-list-item">Never squeaks twice</span></li>
<li class="aok-hidden"><span class="a-list-item">Hidden</span></li><li><span class="a-list-item">Keeps warm</span></li></ul></div>
<img id="landingImage" alt="Patient Kettle" src="https://m.media.example/I/41abc._AC_SX38_.jpg"
 data-a-dynamic-image="{&quot;https://m.media.example/I/41abc._AC_SX355_.jpg&quot;:[355,355],&quot;https://m.media.example/I/41abc._AC_SL1500_.jpg&quot;:[1500,1500]}">
<div id="altImages"><ul><li class="item imageThumbnail"><img src="https://m.media.example/I/51def._AC_US40_.jpg"></li></ul></div>
<div id="twister"><div id="variation_color_name"><ul>
<li data-defaultasin="B0DEMOKTL1" title="Click to select Copper"><img alt="Copper"></li>
<li data-defaultasin="B0DEMOKTL2" title="Click to select Steel"><img alt="Steel"><p class="twisterSwatchPrice">$999.00</p></li>
</ul></div></div>
<table id="productDetails_techSpec_section_1"><tr><th>Item model number</th><td>&lrm;HW-1700</td></tr></table>
<div class="similar"><span class="a-price"><span class="a-offscreen">$5.00</span></span></div>`;

test('reads a page with everything on it', async () => {
  const found = await read('https://www.amazon.com/Hesper-Patient-Kettle/dp/B0DEMOKTL1/ref=sr_1_1', KETTLE);
  expect(found).toMatchObject({ parser: 'amazon', verdict: 'valid', problems: [] });
  expect(valuesOf(found)).toEqual({
    ...{ name: 'Hesper Works Patient Kettle, 1.7 l, Copper', brand: 'Hesper Works', sku: 'B0DEMOKTL1' },
    ...{ price: '1049.99', listPrice: '1299', currency: 'USD', availability: 'in_stock' },
    ...{ rating: '4.6', reviewCount: 12345, mpn: 'HW-1700', category: ['Home & Kitchen', 'Kettles'] },
    description: 'Never squeaks twice\nKeeps warm',
    images: [
      { url: 'https://m.media.example/I/41abc._AC_SL1500_.jpg', alt: 'Patient Kettle' },
      { url: 'https://m.media.example/I/51def.jpg' },
    ],
    variants: [
      {
        ...{ name: 'Copper', sku: 'B0DEMOKTL1', url: 'https://www.amazon.com/dp/B0DEMOKTL1' },
        options: { color: 'Copper' },
      },
      {
        ...{ name: 'Steel', sku: 'B0DEMOKTL2', url: 'https://www.amazon.com/dp/B0DEMOKTL2' },
        ...{ price: '999', currency: 'USD', options: { color: 'Steel' } },
      },
    ],
  });
});

test('reads prices and words of other countries', async () => {
  const found = await read(
    'https://www.amazon.de/dp/B0DEMOKTL1?th=1',
    `<span id="productTitle">Geduldiger Kessel</span><a id="bylineInfo">Marke: Hesper</a>
     <div id="corePrice_feature_div"><span class="a-price"><span class="a-offscreen">1.049,99&nbsp;€</span></span></div>
     <div id="availability"><span>Nur noch 3 auf Lager</span></div>
     <span id="acrPopover" title="4,6 von 5 Sternen"></span><span id="acrCustomerReviewText">1.234 Sternebewertungen</span>`,
    'de-de',
  );
  expect(valuesOf(found)).toMatchObject({
    ...{ name: 'Geduldiger Kessel', brand: 'Hesper', price: '1049.99', currency: 'EUR' },
    ...{ rating: '4.6', reviewCount: 1234, sku: 'B0DEMOKTL1' },
  });
});

test('reads the older shape of a page, a range, and one that cannot be had', async () => {
  const old = await read(
    'https://www.amazon.co.uk/gp/product/B0DEMOKTL1',
    '<span id="productTitle">Kettle</span><span id="priceblock_ourprice">£24.50</span><div id="availability"><span>Currently unavailable.</span> We don’t know when it will be back.</div>',
    'en-gb',
  );
  expect(valuesOf(old)).toMatchObject({ price: '24.5', currency: 'GBP', availability: 'out_of_stock' });
  const range = await read(
    'https://www.amazon.com/dp/B0DEMOKTL1',
    `<span id="productTitle">Socks</span><div id="corePrice_desktop"><span class="a-price-range">
     <span class="a-price"><span class="a-offscreen">$9.99</span></span> - <span class="a-price"><span class="a-offscreen">$14.99</span></span>
     </span></div><button id="add-to-cart-button"></button>`,
  );
  expect(valuesOf(range)).toMatchObject({ price: '9.99', priceHigh: '14.99', availability: 'in_stock' });
});

test('a page without a price is a product that lacks something, and one of another kind is none', async () => {
  const bare = await read('https://www.amazon.com/dp/B0DEMOKTL1', '<span id="productTitle">Kettle</span>');
  expect(bare).toMatchObject({ verdict: 'partial' });
  expect(await read('https://www.amazon.com/s?k=kettle', KETTLE)).toMatchObject({ verdict: 'none' });
  expect(
    await read('https://www.amazon.com/dp/B0DEMOKTL1', '<p>Enter the characters you see below</p>'),
  ).toMatchObject({
    verdict: 'none',
  });
});

test('data that is broken costs its own field only', async () => {
  const found = await read(
    'https://www.amazon.com/dp/B0DEMOKTL1',
    '<span id="productTitle">Kettle</span><span id="price">$5</span><img id="landingImage" src="/k.jpg" data-a-dynamic-image="{oops">',
  );
  expect(valuesOf(found)).toMatchObject({ price: '5', images: [{ url: 'https://www.amazon.com/k.jpg' }] });
});
