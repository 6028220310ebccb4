/**
 * The look at a page's bytes that decides whether a tree is built of it: for microdata and RDFa, or because something
 * on it can be bought. JSON-LD and metas need no tree, and are read without asking.
 *
 * One pass of a regular expression over the bytes as Latin-1 costs less than two searches for fixed words, and it takes
 * any case.
 */

const MARKUP = /itemtype|typeof=/i;

/** What is pressed to buy, as classes and addresses have it, and what a page says of its stock. */
const SIGNS = [
  ...[
    'add[-_ ]?(?:it |item[-_ ]?)?(?:to|2)[-_ ]?(?:my |your |the )?(?:shopping )?(?:cart|basket|bag|trolley)',
    'to-?cart',
  ],
  ...[
    '(?:cart|basket|bag|panier|warenkorb|carrito|korb|koszyk|kosik)(?:[-_/.]|\\?)?add',
    'buy[-_ ]?(?:now|button|box|btn|it)',
  ],
  ...['btn-?buy', '>\\s*buy\\s*<', 'product-form', 'pre-?order', 'sold[-_ ]?out', 'out[-_ ]?of[-_ ]?stock'],
  ...['availab', 'discontinued', 'in (?:the|your) (?:basket|cart|bag)', 'orderbutton', 'purchase[-_]?button'],
  ...[
    'in den (?:waren|einkauf)',
    'kaufen',
    'bestellen',
    'lieferbar',
    'ajouter au',
    'acheter',
    'carrito',
    'cesta',
    'comprar',
  ],
  ...[
    'carrinho',
    'carrello',
    'acquista',
    'winkelwagen',
    'winkelmand',
    'koszyka',
    'varukorg',
    'kundvagn',
    'kurv',
    'ostoskori',
  ],
];
const WORDS =
  'košík|kosárba|în coș|košaric|sepete|корзин|купить|купити|кошик|количка|καλάθι|カート|購入|购物车|購物車|购买|장바구니|구매|السلة|לסל|giỏ|keranjang|ตะกร้า';
/** As the bytes of UTF-8 look when they are read as Latin-1. */
const BUYING = new RegExp([...SIGNS, Buffer.from(WORDS, 'utf8').toString('latin1')].join('|'), 'i');

export interface ByteSigns {
  /** Microdata or RDFa. */
  readonly hasMarkup: boolean;
  readonly mayBeBought: boolean;
}

export function lookAtBytes(html: Buffer): ByteSigns {
  const text = html.toString('latin1');
  const hasMarkup = MARKUP.test(text);
  return { hasMarkup, mayBeBought: hasMarkup || BUYING.test(text) };
}
