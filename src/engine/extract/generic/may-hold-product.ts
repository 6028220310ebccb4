/**
 * The look at a page's bytes that decides whether a tree is built of it: for microdata and RDFa, or because the page is
 * one of a shop. JSON-LD and metas need no tree, and are read without asking.
 */
import { ByteWords } from './byte-words.ts';

const MARKUP = ['itemtype', 'typeof='];

/** Carts by all their names: no shop is without one, in its words or in its classes and addresses. */
const CARTS =
  `cart basket trolley korb einkaufswagen panier carrito carrinho carrello cesta bolsa sacola winkelwagen
  winkelmand koszyk kosik košík košaric korpu varukorg kundvagn kurv ostoskor koriin kosár coș coş sepet корзин кошик
  количк καλάθι カート かごに 购物车 購物車 장바구니 السلة عربة לסל לעגל giỏ keranjang ตะกร้า ใส่`.split(/\s+/);

/** What else is written on what is pressed to buy: every text of BUY_TEXT has one of these, or a cart. */
const BUYING =
  `buy- kaufen bestellen acheter achète commander comprar encomenda acquista kopen köp kjøp køb koupit kúpiť
  adaug купи αγορά 購入 购买 購買 구매 اشتر purchase preorder pre-order`.split(/\s+/);
const PHRASES = [
  'buy now',
  'buy it',
  '>buy',
  'buy<',
  '"buy',
  'buy"',
  '\nbuy',
  'buy\n',
  'buy\r',
  '\tbuy',
  'order now',
];
const BAGS = ['to bag', 'my bag', 'your bag', 'the bag', 'shopping bag'];
const OTHERS = ['notify me', 'kup teraz', 'satın al', 'mua ngay', 'beli sekarang'];

const signs = new ByteWords([...MARKUP, ...CARTS, ...BUYING, ...PHRASES, ...BAGS, ...OTHERS]);

export function mayHoldProduct(html: Buffer): boolean {
  return signs.areIn(html);
}
