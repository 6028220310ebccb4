/**
 * The look at a page's bytes that decides whether a tree is built of it: for microdata and RDFa, or because the page is
 * one of a shop. JSON-LD and metas need no tree, and are read without asking.
 *
 * A regular expression over the bytes as Latin-1 takes any case. It has to be plain words: with anything cleverer it
 * costs more than the tree it saves.
 */

const MARKUP = /itemtype|typeof=/i;

/** Carts by all their names: no shop is without one, in its words or in its classes and addresses. */
const CARTS = [
  ...[
    'cart',
    'basket',
    'korb',
    'panier',
    'carrito',
    'carrinho',
    'carrello',
    'cesta',
    'winkelwagen',
    'winkelmand',
  ],
  ...[
    'koszyk',
    'kosik',
    'košík',
    'varukorg',
    'kundvagn',
    'kurv',
    'ostoskor',
    'kosár',
    'sepet',
    'buy-',
    'kaufen',
  ],
  ...[
    'корзин',
    'купить',
    'кошик',
    'количка',
    'καλάθι',
    'カート',
    '購入',
    '购物车',
    '購物車',
    '장바구니',
    'السلة',
    'לסל',
    'giỏ',
    'ตะกร้า',
  ],
];
/** As the bytes of UTF-8 look when they are read as Latin-1. */
const SHOP = new RegExp(CARTS.map((word) => Buffer.from(word, 'utf8').toString('latin1')).join('|'), 'i');

export interface ByteSigns {
  /** Microdata or RDFa. */
  readonly hasMarkup: boolean;
  readonly isShop: boolean;
}

export function lookAtBytes(html: Buffer): ByteSigns {
  const text = html.toString('latin1');
  const hasMarkup = MARKUP.test(text);
  return { hasMarkup, isShop: SHOP.test(text) };
}
