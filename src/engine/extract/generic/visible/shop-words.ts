/** How shops name the parts of their pages, in classes and in words. */

/** In classes, ids, names and addresses of what is pressed to buy. */
export const BUY_CODE =
  /add[-_]?(?:item)?[-_]?(?:to|2)[-_]?(?:cart|basket|bag|trolley|order)|(?:cart|basket|bag|panier|warenkorb|carrito|korb|koszyk|kosik)[-_/.]?(?:add|insert|item)|(?:basket|cart)\?add|to-?cart\b|product-form__submit|buy[-_]?(?:now|button|btn|box)|btn-?buy|buybox|in-den-warenkorb|purchase[-_]?button|orderbutton/i;

/** What is written on it. */
export const BUY_TEXT = new RegExp(
  [
    'add (?:it )?to (?:my |your |the )?(?:shopping )?(?:cart|basket|bag|trolley)|put (?:it )?in (?:the|your) (?:basket|cart|bag)',
    '^buy(?: it)?(?: now)?$|^pre-?order(?: now)?$|^order now$|^notify me',
    'in den (?:waren|einkaufs)korb|in den einkaufswagen|jetzt (?:kaufen|bestellen)|^kaufen$|vorbestellen',
    "ajouter au panier|^acheter|mettre au panier|j'achète|précommander",
    'añadir (?:al carrito|a la (?:cesta|bolsa))|agregar al carrito|^comprar|adicionar (?:ao carrinho|à sacola)|encomendar',
    'aggiungi al carrello|^acquista|in (?:mijn )?winkel(?:wagen|mand)|^bestellen$|^kopen$',
    'do koszyka|kup teraz|lägg i (?:varukorg|kundvagn)|^köp|legg i handlekurv|^kjøp|læg i kurv|^køb|tilføj til kurv',
    'ostoskoriin|lisää koriin|do košíku|do košíka|^koupit|^kúpiť|kosárba|adaug[ăa] în co[șş]|u košaricu|u korpu|v košarico',
    'в корзин[уы]|^купить|до кошика|в кошик|^купити|в количката|^купи|sepete ekle|satın al|προσθήκη στο καλάθι|αγορά',
    'カート(?:に|へ)|かごに|購入|加入购物车|加入購物車|放入购物车|立即购买|立即購買|장바구니|구매하기|바로구매',
    'أضف (?:إلى|الى) (?:السلة|عربة)|اشتر|הוסף? ל(?:סל|עגלה)|thêm vào giỏ|mua ngay|keranjang|beli sekarang|ใส่ตะกร้า|ลงตะกร้า|หยิบใส่',
  ].join('|'),
  'i',
);

export const PRICE_CODE =
  /price|preis|prix(?![a-z])|precio|preco|prezzo|prijs|\bcena|\bpris\b|pricing|\bamount\b|\bkaina|\bhind\b|цена/i;
/** What it cost before, or elsewhere. */
export const OLD_CODE =
  /(?:^|[\s_-])(?:old|was|were|list|compare|compareat|strike|striked|strikethrough|crossed|original|regular|before|msrp|rrp|uvp|srp|retail|previous|prev|streich|barre|antes|rrp-price|stroke|vorher|pvr|line-?through)(?:$|[\s_-])|old-?price|price-?old|was-?price|list-?price|regular-?price|compare-?(?:at-?)?price|original-?price|price--?(?:compare|was|list|crossed)|oldprice|listprice/i;
/** What it costs now, where there is an old one as well. */
export const NEW_CODE =
  /(?:^|[\s_-])(?:now|new|current|special|sale|final|offer|our|actual|aktuell|promo|reduced|discounted|is)(?:$|[\s_-])|sale-?price|price-?(?:new|sale|now|final)|special-?price|final-?price|our-?price/i;
/** Amounts that are not what it costs: per litre, in parts, saved, for delivery. */
export const OTHER_AMOUNT_CODE =
  /unit-?price|price-?(?:per|unit|base)|per-?unit|base-?price|grundpreis|basispreis|instal+ment|finance|monthly|saving|saved?(?:$|[\s_-])|discount|you-?save|shipping|delivery|versand|deposit|points|klarna|afterpay|tax(?:$|[\s_-])|vat(?:$|[\s_-])/i;
export const STOCK_CODE =
  /stock|availab|inventory|verf(?:ü|ue)gbar|lieferbar|disponib|dispo\b|voorraad|\blager|delivery-?(?:time|status)|dostupn|dostęp|наличи/i;
/** Parts of a page that are about something else than its product. */
export const ASIDE_CODE =
  /(?:^|[\s_-])(?:related|recommend\w*|similar|upsells?|cross-?sells?|also|recently|viewed|mini-?cart|minibasket|cart-?drawer|drawer|cookie\w*|newsletter|footer|site-?header|topbar|mega-?menu|offcanvas|bundles?|accessor(?:y|ies)|popup|modal|complementary|frequently|promo-?bar|announcement\w*)(?:$|[\s_-])|related-?products|recently-?viewed|you-?may|customers-?also/i;
export const CARD_CODE =
  /(?:^|[\s_-])(?:card|tile|teaser|product-?(?:item|card|tile|box|thumb|miniature)|grid-?item|grid__item)(?:$|[\s_-])/i;
export const PRODUCT_CODE = /product|artikel|item-?detail|\bpdp\b|produkt|producto|produit/i;
export const CRUMB_CODE = /bread-?crumbs?|\bcrumbs?\b|brotkr|fil-?d-?ariane|pathway|you are here/i;

/** Headings of pages that sell nothing by themselves. */
export const NO_PRODUCT_HEADING =
  /^(?:(?:your|my|shopping) )?(?:cart|basket|bag|wishlist|account|checkout|orders?)$|^(?:warenkorb|panier|carrito|carrello|koszyk|search|suche|log ?in|sign in|delivery|contact(?: us)?|404|not found)\b|(?:\d+ )?results? for\b|page not found/i;
