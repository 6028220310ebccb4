/** What the words around a price say about it, in the languages of shops. */

/** Words only, in lower case, with one space around each: so that phrases are found as wholes. */
export function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu);
  return words === null ? ' ' : ` ${words.join(' ')} `;
}

/** It was the price once, or is what somebody says the thing is worth. */
export function isFormerPrice(words: string): boolean {
  return says(words, FORMER) || FROM_TO.has(words) || FORMER_IN_SCRIPT.test(words);
}

export function isCurrentPrice(words: string): boolean {
  return says(words, CURRENT) || CURRENT_IN_SCRIPT.test(words);
}

/** It is what is saved, or what comes on top: no price of the thing. */
export function isSaving(words: string): boolean {
  return says(words, SAVING);
}

export function isExtraCost(words: string): boolean {
  return says(words, EXTRA) && !says(words, INCLUDING);
}

/** "from" stands right before the price, or its like right behind. */
export function isLowestOf(wordsBefore: string, behind: string): boolean {
  return FROM.some((phrase) => wordsBefore.endsWith(phrase)) || FROM_BEHIND.test(behind);
}

/** Between the two ends of a range. */
export function isRangeLink(text: string): boolean {
  const link = text.trim().toLowerCase();
  return RANGE_MARKS.test(link) || RANGE_WORDS.has(link.replace(/\.$/, ''));
}

/** The text says of the thing itself that it costs nothing, and not of its delivery. */
export function isFree(text: string): boolean {
  if (text.length > MOST_FREE_CHARACTERS) return false;
  if (FREE_IN_SCRIPT.test(text)) return true;
  const words = wordsOf(text).trim().split(' ');
  return (
    words.some((word) => FREE.has(word)) && words.every((word) => FREE.has(word) || BESIDES_FREE.has(word))
  );
}

/** It ends a rating: "4.5 out of 5", "4.5/5". */
export const OUT_OF_BEFORE = /^\s?(?:\p{L}{1,12}\s)?(?:out of|of|von|sur|su|van|av|из|\/)\s?$/iu;

/** What a bare number behind it is: an article's number, a size, a quantity. */
export function isOtherNumber(wordsBefore: string, before: string): boolean {
  return NUMBERS_OF.some((phrase) => wordsBefore.endsWith(phrase)) || /[#№]\s*$/.test(before);
}

/** A unit, a share or a quantity: what stands behind a number that is no price. */
export const UNIT_BEHIND = new RegExp(
  `^ ?(?:%|‰|°|″|"|/ ?\\d|(?:${[
    'g|kg|mg|lbs?|oz|ml|cl|dl|l|ltr|litre|liter|litres|mm|cm|m|km|m2|m²|m³|inch|inches|in|ft|yd|gb|tb|mb|kb|mah|w|kw|kwh|v|hz|mhz|ghz',
    'stars?|sterne?n?|étoiles?|estrellas?|stelle|estrelas|sterren|gwiazdek|hvězd|hvězdiček|csillag|звезд',
    'pcs?|pieces?|packs?|pk|stück|stk|szt|ks|db|шт|uds?|unidades|pezzi|items?|products?|artikel|produkte?|units?|sets?',
    'reviews?|ratings?|votes?|bewertung(?:en)?|avis|opiniones|recensioni|avaliações|opinii|hodnocení|отзыв(?:ов|а)?|yorum',
    'days?|business days|working days|werktagen?|arbeitstagen?|tagen?|jours?|días|giorni|dias|dagen|dni|dní|дней|дня|hours?|stunden|h|hrs?|min|minutes?|weeks?|wochen|months?|monate?|monaten|mois|meses|mesi|years?|jahren?|ans|años|anni|лет',
    'x|×|for|für|pour|left|sold|people|customers?|of|von|out of|sur|su|av|van|из|times?|mal|ausgaben|colou?rs?|sizes?|th|st|nd|rd',
  ].join('|')})(?![\\p{L}\\p{N}]))`,
  'iu',
);

/** A price for so much of it, and not for the thing: "/ 100 g", "pro kg". */
export const PER_MEASURE =
  /^\s?(?:[/=]|per|pro|par|je|por|al|za|за|på)\s?(?:\d+\s?)?(?:k?g|kilo(?:gramm?s?|s)?|m?l|litre|liter|litro|lb|oz|m²|m2|qm|кг|л|г|м²|st\.|100)(?!\p{L})/iu;
/** The same before the price: "1 kg =". */
export const MEASURE_IS = /(?:k?g|m?l|m|m²|m2|stück|stk|st|кг|л|г|100)\.?\s?=\s?$/iu;
/** "12 x de": one of several payments, or one of several pieces. */
export const TIMES_BEFORE =
  /(?<![\d.,])\d{1,3}\s?(?:[x×]\s?(?:de|da|do|by|à|a|od|of|at)?|for|für|pour|por|per|za|voor)\s?$/iu;
export const OFF_BEHIND =
  /^\s?(?:off|rabatt|discount|korting|sparen|gespart|sleva|zľava|ersparnis|de (?:descuento|réduction|remise|desconto)|di sconto|indirim|скидк[аи]|割引|優惠|할인)(?!\p{L})/iu;
export const MONTH_BEFORE =
  /(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fév|avr|juin|juil|août|déc)\p{L}*\.?,?\s?(?:\d{1,2},?\s)?$/iu;
/** "Free shipping over $49": what is told is no price of the thing. */
export const FREE_DELIVERY_FROM =
  /(?:free|gratis|kostenlose[rn]?|versandkostenfrei|gratuite?|grátis|gratuita|zdarma|darmowa|бесплатная|ingyenes|ücretsiz)[^\d]{0,60}(?:orders?|over|above|from|ab|über|dès|desde|a partir|partire|oltre|vanaf|bij|od|nad|acima|от|felett|üzeri)[^\d]{0,24}$/iu;

const MOST_FREE_CHARACTERS = 80;

const FORMER = phrases(`
prix habituel, prix normal, prix initial, precio habitual, precio normal, precio regular, normale prijs, normaler preis,
prezzo normale, preço normal, preço habitual, pierwotna cena, ursprungliga priset, ursprungligt pris, første pris, oprindelig pris,
oprindelige pris, opprinnelig pris, первоначальная цена, початкова ціна, alkuperäinen hinta, normal fiyat, orijinal fiyat,
preț inițial, prețul inițial,
was, were, reg, regular, regularly, regular price, rrp, msrp, srp, list, list price, retail, retail price, original,
originally, original price, old price, before, compare at, compare, normally, usually, valued at, value,
uvp, statt, bisher, vorher, früher, ehemals, alter preis, listenpreis, ursprünglich, ursprünglicher preis, anstatt,
au lieu de, ancien prix, avant, prix conseillé, prix barré, prix public, prix d'origine,
antes, precio anterior, precio original, pvpr, en lugar de,
anziché, invece di, prima, listino, prezzo di listino, prezzo originale,
preço original, preço antigo,
adviesprijs, normaal, oorspronkelijk, oorspronkelijke prijs, was nu,
ordinarie, ordinarie pris, ord pris, tidigare, tidigare pris, rek pris, førpris, før, veil, veil pris, norm, norm hinta,
ovh, suositushinta, normaalihinta, vejl pris, normalpris,
stara cena, poprzednia cena, cena katalogowa, cena regularna, cena przed, zamiast,
původní cena, původně, běžná cena, před slevou, pôvodná cena, bežná cena, pred zľavou,
старая цена, было, раньше, обычная цена, вместо, стара ціна, було, раніше, стара цена, преди,
eski fiyat, eski, liste fiyatı, yerine, eredeti ár, régi ár, helyett, preț vechi, prp, în loc de, πριν, αρχική τιμή, από τιμή,
stara cijena, prije, redna cena, redovna cijena, giá gốc, giá cũ`);
/** "de R$ 48 por R$ 36", "van € 48 voor € 36": these words alone, for they mean much else besides. */
const FROM_TO: ReadonlySet<string> = new Set([' de ', ' van ', ' preço de ', ' prijs van ']);
const FORMER_IN_SCRIPT =
  /通常価格|定価|参考価格|希望小売価格|元値|原价|原價|市场价|市場價|划线价|정가|정상가|소비자가|السعر السابق|بدلا من|במקום|מחיר קודם|ราคาเดิม/;

const CURRENT = phrases(`
prix promotionnel, prix réduit, prix soldé, precio de oferta, precio de venta, precio rebajado, prezzo scontato,
aanbiedingsprijs, huidige prijs, aktueller preis, verkaufspreis, aktualna cena, aktuální cena, aktuálna cena, nuværende pris,
nuvarande priset, nåværende pris, reapris, udsalgspris, salgspris, kampanjpris, текущая цена, поточна ціна, nykyinen hinta,
şu andaki fiyat, indirimli fiyat, jelenlegi ár, prețul curent, preț curent, preț redus, τρέχουσα τιμή, preço atual,
preço promocional,
now, now only, sale, sale price, special price, our price, today, current price, offer price, you pay, only, deal price,
jetzt, nur, jetzt nur, aktionspreis, angebot, angebotspreis, unser preis, neuer preis, sonderpreis,
maintenant, prix promo, prix actuel, désormais, notre prix, ahora, precio actual, oferta, adesso, ora, prezzo attuale, agora,
por, por apenas, nu, nu voor, voor, nå, nyt, tarjous, tilbud, teraz, cena promocyjna, nyní, akční cena, po slevě, naše cena, teraz,
сейчас, теперь, цена со скидкой, зараз, сега, şimdi, most, akciós ár, acum, τώρα, sada, akcija, zdaj, giá khuyến mãi`);
const CURRENT_IN_SCRIPT =
  /特価|セール価格|販売価格|现价|現價|特价|特價|促销价|판매가|할인가|السعر الحالي|الآن|עכשיו|ราคาพิเศษ/;

const SAVING = phrases(`
save, saving, savings, you save, discount, coupon, cashback, off, ersparnis, sie sparen, spare, sparen, du sparst, rabatt,
gutschein, économisez, économie, remise, réduction, ahorra, ahorras, ahorro, descuento, risparmi, risparmio, sconto,
economize, desconto, poupe, korting, bespaar, je bespaart, u bespaart, zniżka, oszczędzasz, rabat, sleva, ušetříte, zľava,
ušetríte, скидка, экономия, выгода, знижка, besparing, du sparar, du sparer, spar, spara, säästä, indirim, kedvezmény,
megtakarítás, reducere, economisești, έκπτωση, κερδίζετε, popust, ušteda, отстъпка`);
const EXTRA = phrases(`
shipping, delivery, postage, p p, s h, handling, deposit, tax, versand, versandkosten, lieferung, pfand, frais de port,
livraison, dont, écotaxe, envío, gastos de envío, spedizione, frete, entrega, verzendkosten, verzending, dostawa, wysyłka,
doprava, poštovné, доставка, frakt, fragt, toimitus, kargo, szállítás, livrare, μεταφορικά, dostava, installment,
instalment, monthly, rate, monatlich`);
const INCLUDING = phrases(`
incl, including, inkl, inklusive, includes, included, inc, plus, free, with, compris, incluido, incluidos, inclusa,
incluso, inclusief, z, s, včetně, вкл, включая, dahil, com`);

const FROM = phrases(`
from, starting at, starting from, starts at, as low as, prices from, ab, à partir de, a partir de, à partir d', dès, desde,
a partire da, da, vanaf, od, från, fra, fr, alk, alkaen, от, від, από, de la, mulai, mulai dari, dari, từ, már, od już,
sākot no, no, nuo, alates, per les`);
const FROM_BEHIND =
  /^\s?(?:\+(?=[\s.)]*$)|から|より|~(?!\s?[\d€$£¥])|起|부터|이상|itibaren|'?[dt][ae]n başlayan|-?t[óő]l|alkaen|and up|or more|en adelante|und mehr|起售)/iu;

const RANGE_MARKS = /^(?:-{1,2}|~|\.{2,3}|…|→)$/;
const RANGE_WORDS: ReadonlySet<string> = new Set(
  'to|bis|bis zu|à|a|al|ao|até|hasta|tot|do|до|til|till|-|ile|and|und|et|y|e|en|och|og|ja|to:|až|között|la|έως|から|至|到|až do|thru|through|up to'.split(
    '|',
  ),
);

const FREE: ReadonlySet<string> = new Set(
  `free gratis kostenlos kostenfrei umsonst gratuit gratuite gratuitement gratuito gratuita grátis gratuït bezpłatnie
  bezpłatny darmowy darmowe darmo zdarma zadarmo ilmainen ilmaiseksi бесплатно бесплатный безкоштовно безплатно ücretsiz
  bedava ingyenes ingyen gratuitos δωρεάν besplatno brezplačno tasuta nemokamai nemokama bezmaksas percuma gratisan
  falas مجاني مجانا مجانية חינם`.split(/\s+/),
);
const BESIDES_FREE: ReadonlySet<string> = new Set(
  `price cost for now only it's its is item this download product 100 totally completely absolutely today limited time
  preis jetzt produkt zum prix maintenant téléchargement precio ahora producto prezzo prodotto preço agora produto prijs
  pris cena za nu hinta цена ціна fiyat ár preț τιμή cijena was the 0 00 euro app book ebook sample get play to`.split(
    /\s+/,
  ),
);
const FREE_IN_SCRIPT =
  /^[\s:：！!。価格价格가격¥￥0]*(?:無料|免费|免費|무료|ฟรี|miễn phí|मुफ़्त|मुफ्त|निःशुल्क|বিনামূল্যে)[\s！!。]*$/iu;

const NUMBERS_OF = phrases(`
sku, ref, reference, no, nr, art nr, artnr, artikelnr, artikelnummer, art no, item no, item, model, id, ean, gtin, upc, isbn,
asin, mpn, code, artikel, article, référence, referencia, codice, código, артикул, арт, код, size, größe, taille, talla, taglia,
qty, quantity, menge, anzahl, quantité, cantidad, quantità, заказ, мин заказ, tel, phone, telefon, fax, version, page, seite, plz,
rated, rating, bewertung, top, stock, lager`);

function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => ` ${phrase.trim()} `);
}

function says(words: string, list: readonly string[]): boolean {
  if (words.length < 3) return false;
  return list.some((phrase) => words.includes(phrase));
}
