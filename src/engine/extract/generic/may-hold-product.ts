/**
 * The look at a page's bytes that decides whether a tree is built of it: for microdata and RDFa, or because the page is
 * one of a shop. JSON-LD and metas need no tree, and are read without asking.
 */
import { ByteWords } from './byte-words.ts';

const MARKUP = ['itemtype', 'typeof='];

/** Carts by all their names: no shop is without one, in its words or in its classes and addresses. */
const CARTS = `cart basket korb panier carrito carrinho carrello cesta winkelwagen winkelmand
  koszyk kosik košík varukorg kundvagn kurv ostoskor kosár sepet buy- kaufen
  корзин купить кошик количка καλάθι カート 購入 购物车 購物車 장바구니 السلة לסל giỏ ตะกร้า`.split(/\s+/);

const signs = new ByteWords([...MARKUP, ...CARTS]);

export function mayHoldProduct(html: Buffer): boolean {
  return signs.areIn(html);
}
