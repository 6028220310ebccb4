/** What shops write about stock, in the languages of shops; in lower case, without marks. */
import type { Availability } from '../product-fields.ts';

/**
 * In the order in which they are looked for: "not in stock" has "in stock" in it, and "out of stock, but can be
 * ordered ahead" can be ordered ahead.
 */
const PHRASES: readonly (readonly [Availability, readonly string[]])[] = [
  [
    'discontinued',
    list(`discontinued, no longer available, no longer sold, no longer in production, end of life, retired product, obsolete,
      eingestellt, nicht mehr verfügbar, nicht mehr lieferbar, nicht mehr erhältlich, nicht mehr im sortiment, auslaufartikel ausverkauft,
      plus disponible à la vente, n'est plus disponible, plus commercialisé, produit arrêté, arrêt de commercialisation,
      descatalogado, descontinuado, ya no está disponible, ya no disponible, fuori produzione, non più disponibile, fuori catalogo,
      descontinuado, já não está disponível, não está mais disponível, niet meer leverbaar, niet meer verkrijgbaar, uit assortiment, uit productie,
      wycofany, wycofany ze sprzedaży, produkt wycofany, już niedostępny, prodej ukončen, ukončený prodej, výroba ukončena, predaj ukončený,
      utgått, utgår, utgången, udgået, utgått produkt, poistunut, poistunut valikoimasta, valmistus lopetettu,
      снят с производства, снято с производства, больше не продается, больше не продаётся, знято з виробництва, знятий з виробництва,
      üretimden kalktı, üretimi durduruldu, megszűnt, kifutott, kifutott termék, discontinuat, scos din producție, καταργήθηκε, κατηργημένο,
      прекратено производство, obustavljeno, ngừng kinh doanh`),
  ],
  [
    'in_store_only',
    list(`in store only, in stores only, only in store, only in stores, only available in store, available in store only, store pickup only,
      nur im markt, nur in der filiale, nur im laden, nur im geschäft, nur vor ort, nur in filialen, nur abholung,
      uniquement en magasin, en magasin uniquement, seulement en magasin, exclusivement en magasin, retrait en magasin uniquement,
      solo en tienda, solo en tiendas, sólo en tienda, solo in negozio, solo in punto vendita, apenas na loja, somente na loja, só em loja, apenas em loja,
      alleen in de winkel, alleen in winkel, tylko w sklepie stacjonarnym, tylko w salonie, pouze na prodejně, pouze v prodejně, iba v predajni, len v predajni,
      endast i butik, bara i butik, kun i butik, kun i butikk, vain myymälästä, vain myymälässä, только в магазине, только в розничных магазинах, лише в магазині,
      sadece mağazada, sadece mağazalarda, csak üzletben, csak boltban, doar în magazin, μόνο σε κατάστημα, μόνο στο κατάστημα`),
  ],
  [
    'preorder',
    list(`pre order, preorder, pre orders, pre sale, presale, pre ordering, coming soon, available for pre order, releases on, release date, not yet released, available soon,
      vorbestellen, vorbestellung, vorbestellbar, jetzt vorbestellen, vorverkauf, erscheint am, erscheint in kürze, bald erhältlich, demnächst, in kürze verfügbar, noch nicht erschienen,
      précommande, pré commande, précommander, en précommande, prochainement, bientôt disponible, à paraître, reserva, preventa, reservar ahora, en preventa, próximamente, próximo lanzamiento,
      preordine, pre ordine, preordina, prenotabile, in arrivo prossimamente, prossimamente, in prevendita, pré venda, pré encomenda, em pré venda, brevemente, em breve,
      pre orderen, voorbestellen, voorverkoop, binnenkort verkrijgbaar, binnenkort beschikbaar, verwacht, przedsprzedaż, w przedsprzedaży, zapowiedź, wkrótce w sprzedaży,
      předobjednávka, předobjednat, předprodej, připravujeme, již brzy, predobjednávka, predobjednať, predpredaj, pripravujeme,
      förbeställ, förboka, förhandsboka, förhandsbeställ, kommer snart, forudbestil, forudbestilling, kommer snart, forhåndsbestill, forhåndsbestilling, forhåndssalg, ennakkotilaus, ennakkotilattavissa, tulossa pian,
      предзаказ, предварительный заказ, скоро в продаже, скоро поступит, передзамовлення, попереднє замовлення, скоро у продажу,
      ön sipariş, önsipariş, çok yakında, előrendelés, előrendelhető, előjegyzés, hamarosan, precomandă, precomanda, în curând, προπαραγγελία, προ παραγγελία, σύντομα κοντά σας, предварителна поръчка, prednarudžba, prednaročilo, đặt trước`),
  ],
  [
    'backorder',
    list(`backorder, back order, backordered, back ordered, on backorder, available on backorder, on order, special order, ships when available, awaiting stock, can be backordered, more on the way,
      nachbestellt, ist nachbestellt, wird nachbestellt, lieferbar ab, verfügbar ab, wieder verfügbar ab, wieder lieferbar ab, auf bestellung, lieferrückstand, nachlieferung, im zulauf, wird für sie bestellt, auf anfrage bestellbar,
      en réapprovisionnement, réapprovisionnement en cours, sur commande, en cours de réapprovisionnement, en cours d'approvisionnement, disponible sur commande,
      bajo pedido, por encargo, disponible bajo pedido, pendiente de recibir, en reposición, su ordinazione, ordinabile, disponibile su ordinazione, in riassortimento, in arrivo, sob encomenda, por encomenda, disponível por encomenda,
      in backorder, op bestelling, in nabestelling, wordt bijbesteld, nabestelling, na zamówienie, dostępny na zamówienie, w dostawie, na objednávku, na dotaz skladem u dodavatele, na ceste, na cestě,
      beställningsvara, restnoterad, restorder, bestillingsvare, i restordre, på vei, på vej, bestilles hjem, tilaustuote, tilauksesta, jälkitoimitus, под заказ, на заказ, ожидается поставка, в пути, под поръчка, під замовлення, на замовлення, очікується, ожидается,
      sipariş üzerine, rendelésre, külső raktáron, utánrendelés, beszerzés alatt, la comandă, în curs de aprovizionare, κατόπιν παραγγελίας, αναμένεται, po narudžbi, po naročilu`),
  ],
  [
    'out_of_stock',
    list(`out of stock, outofstock, sold out, soldout, not in stock, not available, unavailable, currently unavailable, temporarily unavailable, temporarily out, no stock, zero stock, oos, 0 in stock, isn't available, isn't in stock, aren't available,
      is not in stock, never in stock, none left, no longer in stock, out of print, back in stock soon, in stock soon, notify me, email me when, when back in stock, when available, let me know when, waitlist, waiting list, can't be ordered, cannot be ordered,
      ausverkauft, vergriffen, nicht auf lager, nicht vorrätig, nicht verfügbar, nicht lieferbar, nicht erhältlich, nicht mehr auf lager, nicht mehr vorrätig, zurzeit nicht, derzeit nicht, momentan nicht, aktuell nicht, leider nicht, kein bestand, keine lagerware, bald wieder, benachrichtigen, nicht bestellbar,
      rupture de stock, en rupture, rupture, épuisé, épuisée, indisponible, non disponible, pas disponible, plus en stock, pas en stock, hors stock, victime de son succès, stock épuisé, prévenez moi, me prévenir, m'alerter,
      agotado, agotada, sin stock, sin existencias, fuera de stock, no disponible, no está disponible, no hay stock, no hay existencias, no queda, avísame, avisarme, no en stock, temporalmente no disponible,
      esaurito, esaurita, non disponibile, terminato, non in stock, fuori stock, non è disponibile, momentaneamente non disponibile, avvisami, non presente in magazzino,
      esgotado, esgotada, indisponível, fora de estoque, fora de stock, sem estoque, sem stock, não disponível, não está disponível, avise me, produto indisponível,
      uitverkocht, niet op voorraad, niet beschikbaar, niet leverbaar, geen voorraad, niet voorradig, tijdelijk uitverkocht, niet in voorraad, houd mij op de hoogte, momenteel niet,
      brak w magazynie, brak na stanie, niedostępny, niedostępna, niedostępne, wyprzedany, wyprzedane, brak towaru, produkt niedostępny, chwilowo niedostępny, nie ma w magazynie, powiadom o dostępności, powiadom mnie,
      vyprodáno, není skladem, nedostupné, nedostupný, momentálně nedostupné, není na skladě, nie je skladom, vypredané, nie je na sklade, momentálne nedostupné, hlídat dostupnost, nedostupná,
      slut i lager, slutsåld, slutsålt, ej i lager, inte i lager, finns ej, tillfälligt slut, ikke på lager, udsolgt, utsolgt, ikke tilgjengelig, ikke tilgængelig, midlertidig utsolgt, tomt på lager, ej på lager, bevaka,
      loppu, loppuunmyyty, loppunut, ei varastossa, ei saatavilla, tilapäisesti loppu, varasto loppu, ei saatavissa,
      нет в наличии, нет на складе, отсутствует, распродано, раскуплено, закончился, товар закончился, недоступен, недоступно, нет в продаже, сообщить о поступлении, уведомить о поступлении, не в наличии,
      немає в наявності, немає на складі, відсутній, розпродано, закінчився, недоступний, недоступно, повідомити про наявність, немає,
      stokta yok, tükendi, stokta bulunmuyor, mevcut değil, stok yok, satışta değil, stokta değil, temin edilemiyor, gelince haber ver,
      nincs raktáron, nincs készleten, elfogyott, nem elérhető, nem rendelhető, jelenleg nem, nem kapható, készlethiány, átmenetileg nem,
      stoc epuizat, indisponibil, nu este în stoc, nu este disponibil, fără stoc, epuizat, lipsă stoc, lipsa stoc, nu e în stoc, stoc indisponibil,
      εξαντλήθηκε, εξαντλημένο, μη διαθέσιμο, δεν είναι διαθέσιμο, εκτός αποθέματος, μη διαθέσιμος, χωρίς απόθεμα, δεν υπάρχει απόθεμα, εξαντλημένα,
      няма наличност, не е в наличност, изчерпан, изчерпано, неналично, неналичен, няма в наличност, nema na zalihi, rasprodano, nije dostupno, nedostupno, nema na stanju, rasprodato, ni na zalogi, razprodano, ni na voljo,
      pole laos, läbi müüdud, otsas, nav noliktavā, izpārdots, nav pieejams, nėra sandėlyje, išparduota, neturime, nėra prekyboje, hết hàng, tạm hết hàng, cháy hàng, habis, stok habis, tidak tersedia, stok kosong, kehabisan stok`),
  ],
  [
    'limited',
    list(`limited availability, limited stock, low stock, low in stock, few left, last few, almost gone, almost sold out, selling fast, last one, last item, last items, last pieces, only a few left, limited quantity, limited quantities, running low, nearly gone,
      nur noch wenige, wenige verfügbar, geringer bestand, letzte exemplare, letzter artikel, letzte stücke, fast ausverkauft, knapper bestand, begrenzt verfügbar, begrenzte verfügbarkeit, restposten, geringe stückzahl, wenige auf lager,
      stock limité, derniers articles, dernières pièces, quantité limitée, bientôt épuisé, dernier article, stock faible, presque épuisé,
      últimas unidades, pocas unidades, stock limitado, existencias limitadas, stock bajo, últimos artículos, ultimi pezzi, ultimi articoli, disponibilità limitata, quasi esaurito, pochi pezzi, scorte limitate,
      últimas unidades, estoque limitado, stock reduzido, estoque baixo, poucas unidades, laatste stuks, beperkte voorraad, bijna uitverkocht, nog maar, op is op, laatste exemplaren,
      ostatnie sztuki, mała ilość, na wyczerpaniu, ograniczona ilość, ograniczona dostępność, poslední kusy, poslední kus, posledné kusy, posledný kus, malé množství,
      få kvar, fåtal kvar, begränsat antal, snart slut, sista exemplaren, få tilbage, få på lager, få igjen, begrenset antall, begrænset antal, snart udsolgt, snart utsolgt, vain muutama, rajoitettu saatavuus, viimeiset kappaleet, muutama jäljellä,
      осталось мало, мало, последний, последние, заканчивается, ограниченное количество, закінчується, залишилось мало, остання, останні,
      son birkaç, tükenmek üzere, sınırlı stok, az kaldı, son ürünler, son ürün, utolsó darabok, utolsó darab, korlátozott készlet, alacsony készlet, stoc limitat, ultimele bucăți, stoc redus, ultimul produs, ultimele produse, περιορισμένη διαθεσιμότητα, τελευταία κομμάτια, περιορισμένο απόθεμα,
      ограничена наличност, последни бройки, zadnji komadi, ograničena količina, sắp hết hàng, stok terbatas, hampir habis`),
  ],
  [
    'in_stock',
    list(`in stock, instock, available, available now, available online, ready to ship, ships today, ships in, ships within, usually ships, in stock online, on hand, in store and online, online only, made to order, dispatched within, same day dispatch, next day delivery, in stock and ready, ready for dispatch,
      auf lager, vorrätig, lieferbar, verfügbar, sofort lieferbar, sofort verfügbar, sofort versandfertig, versandfertig, lagernd, ab lager, am lager, an lager, auf vorrat, erhältlich, bestellbar, lieferzeit, nur online,
      en stock, disponible, disponibles, in stock, expédié sous, en ligne uniquement, disponible immédiatement, prêt à expédier, stock disponible, hay stock, en existencia, en existencias, disponibilidad inmediata, con stock, envío inmediato,
      disponibile, disponibili, in magazzino, pronta consegna, disponibilità immediata, spedizione immediata, pronto per la spedizione, disponível, em estoque, em stock, pronta entrega, disponibilidade imediata, envio imediato,
      op voorraad, beschikbaar, leverbaar, direct leverbaar, voorradig, uit voorraad leverbaar, in voorraad, verkrijgbaar, morgen in huis, vandaag verzonden,
      w magazynie, na stanie, dostępny, dostępna, dostępne, produkt dostępny, od ręki, wysyłka w, dostępność duża, skladem, na skladě, dostupné, k dispozici, ihned k odeslání, skladom, na sklade, dostupný, k dispozícii, ihneď k odoslaniu,
      i lager, finns i lager, på lager, tillgänglig, lagervara, lagerført, tilgængelig, tilgjengelig, på lager nu, klar til levering, leveres i dag, finns i webblager, varastossa, saatavilla, heti saatavilla, toimitus heti, saatavissa,
      в наличии, есть в наличии, на складе, есть на складе, доступно, доступен, в наявності, є в наявності, на складі, доступний, є, готов к отправке, готовий до відправки, готово до відправки,
      stokta, stokta var, mevcut, stokta mevcut, satışta, hemen teslim, aynı gün kargo, raktáron, készleten, elérhető, rendelhető, azonnal szállítható, kapható, în stoc, in stoc, disponibil, disponibilă, stoc disponibil, livrare imediată,
      διαθέσιμο, άμεσα διαθέσιμο, σε απόθεμα, σε στοκ, διαθέσιμα, ετοιμοπαράδοτο, άμεση παραλαβή, διαθέσιμος, наличен, налично, в наличност, има наличност, на склад, na zalihi, dostupno, na stanju, na lageru, na zalogi, na voljo, dobavljivo, raspoloživo,
      laos, saadaval, laos olemas, noliktavā, pieejams, ir noliktavā, sandėlyje, yra sandėlyje, turime, còn hàng, có hàng, sẵn hàng, tersedia, stok tersedia, ready stock, stok ada, ada stok, en estoc, disponibile subito`),
  ],
];

/** Of scripts without spaces between words, or with words that grow at both ends: looked for anywhere. */
export const SCRIPT_PHRASES: readonly (readonly [Availability, RegExp])[] = [
  [
    'discontinued',
    /販売終了|生産終了|取扱終了|廃番|停产|停產|已下架|绝版|단종|판매종료|판매 종료|توقف إنتاجه|متوقف|הופסק|אזל מהיצרן|เลิกผลิต|เลิกจำหน่าย/,
  ],
  [
    'in_store_only',
    /店舗限定|店頭販売のみ|仅限门店|僅限門市|매장 전용|매장에서만|في المتجر فقط|بالمتجر فقط|בחנות בלבד|רק בחנות/,
  ],
  [
    'preorder',
    /予約受付|予約販売|予約商品|近日発売|発売予定|预售|預售|预购|預購|即将上市|예약판매|예약 판매|예약주문|사전예약|출시예정|출시 예정|طلب مسبق|الطلب المسبق|قريبا|قريبًا|הזמנה מוקדמת|מכירה מוקדמת|בקרוב|สั่งจองล่วงหน้า|พรีออเดอร์|เร็วๆ นี้|प्री-ऑर्डर/,
  ],
  [
    'backorder',
    /お取り寄せ|取り寄せ|取寄|入荷待ち|再入荷予定|入荷予定|补货中|補貨中|예약배송|재입고 예정|입고 예정|입고예정|طلب خاص|بالطلب|בהזמנה מיוחדת|สั่งซื้อล่วงหน้า/,
  ],
  [
    'out_of_stock',
    /在庫なし|在庫切れ|在庫無し|在庫がありません|売り切れ|売切|品切れ|完売|欠品|缺货|缺貨|无货|無貨|无库存|無庫存|暂无库存|售罄|售完|已售完|卖完|補貨通知|到货通知|품절(?!\s?임박)|재고 없음|재고없음|일시품절|매진|재고가 없|غير متوفر|غير متاح|غير متوفرة|نفدت الكمية|نفذت الكمية|نفد|نفذ|نفاد المخزون|اعلمني عند التوفر|ناموجود|تمام شد|אזל|לא במלאי|אין במלאי|לא זמין|חסר במלאי|สินค้าหมด|หมดสต็อก|ไม่มีสินค้า|स्टॉक में नहीं|स्टॉक समाप्त|उपलब्ध नहीं|স্টকে নেই|স্টক শেষ/,
  ],
  [
    'limited',
    /残りわずか|在庫わずか|在庫僅少|残り\s?\d+|数量限定|库存紧张|庫存緊張|库存不多|仅剩|僅剩|只剩|少量库存|限量|재고 부족|품절임박|품절 임박|남은 수량|한정수량|كمية محدودة|الكمية محدودة|تبقى|متبقي|מלאי מוגבל|נותרו|נשארו|כמות מוגבלת|เหลือเพียง|สินค้าเหลือน้อย|केवल \d+ शेष/,
  ],
  [
    'in_stock',
    /在庫あり|在庫有り|在庫有|在庫がある|即納|当日発送|即日発送|有货|有貨|现货|現貨|有庫存|有库存|库存充足|可购买|재고 있음|재고있음|재고 보유|구매 가능|구매가능|당일발송|판매중|متوفر|متاح|في المخزون|موجود|متوفرة|במלאי|זמין|มีสินค้า|พร้อมส่ง|มีของ|स्टॉक में|उपलब्ध|স্টকে আছে/,
  ],
];

/** "not currently available": words between the one that denies and what it denies. */
export const DENIED =
  / (?:(?:not|isn't|never|cannot be|can't be) (?:\p{L}+ ){0,2}(?:available|in stock)|(?:nicht|keine?) (?:\p{L}+ ){0,2}(?:verfügbar|lieferbar|auf lager|vorrätig|erhältlich|bestellbar)|(?:pas|plus|non) (?:\p{L}+ ){0,2}(?:disponibles?|en stock)|no (?:\p{L}+ ){0,2}(?:disponibles?|en stock|en existencias)|non (?:\p{L}+ ){0,2}(?:disponibil[ei]|in magazzino)|não (?:\p{L}+ ){0,2}(?:disponíve(?:l|is)|em estoque|em stock)|niet (?:\p{L}+ ){0,2}(?:op voorraad|beschikbaar|leverbaar)|nie (?:\p{L}+ ){0,2}(?:dostępn[yae]|w magazynie|skladom|dostupn[éýá])|není (?:\p{L}+ ){0,2}(?:skladem|dostupn[éýá]|k dispozici)|(?:inte|ej|ikke) (?:\p{L}+ ){0,2}(?:i lager|på lager|tillgänglig|tilgængelig|tilgjengelig)|ei (?:\p{L}+ ){0,2}(?:saatavilla|varastossa)|(?:не|нет|немає) (?:\p{L}+ ){0,2}(?:доступ(?:ен|но)|в наличии|в наявності)|nem (?:\p{L}+ ){0,2}(?:elérhető|rendelhető|kapható)|nu (?:\p{L}+ ){0,2}(?:disponibil|în stoc|in stoc)|δεν (?:\p{L}+ ){0,2}διαθέσιμ(?:ο|α|ος)) /u;

/** "only 3 left" in its many ways; the number is the first group that is there. */
export const FEW_LEFT =
  /(?:only|just|hurry,?|nur noch|noch|plus que|il ne reste que|il reste|seulement|solo quedan?|quedan?|sólo quedan?|solo|rimangono solo|ne restano solo|ultimi|apenas|restam|só restam|restam apenas|nog maar|nog slechts|slechts|tylko|zostało|zostały|zbývá|posledních|zostáva|posledné|endast|bara|kun|vain|enää|осталось|залишилось|остался|последние|останні|sadece|son|már csak|csak|doar|mai sunt|μόνο|απομένουν|zadnjih|ostalo još|chỉ còn|tersisa|hanya) (\d{1,3})(?!\d|[.,]\d)(?! ?(?:€|\$|£|%|day|tag|hour|stund|jour|día|giorn|dni|дн|uger|week|woche))|(?<!\d|[.,])(\d{1,3}) (?:left|remaining|items? left|pieces? left|units? left|left in stock|übrig|restants?|restantes?|restanti|kvar|tilbage|igjen|jäljellä|kaldı|maradt)/u;

/** How many there are, where a text tells it: "In stock: 0", "12 auf Lager". */
export const NONE_LEFT =
  /(?:^|[^\d.,])0 (?:left|remaining|in stock|available|items?|pcs|auf lager|verfügbar|en stock|disponibles?|disponibili|op voorraad|skladem|i lager|på lager|в наличии|units?|st|stk|ks|szt|db|шт)(?!\p{L})|(?:stock|lager|bestand|available|verfügbar|disponibles?|voorraad|skladem|наличии)\s?[:=(]\s?0(?![\d.,])/u;

function list(text: string): readonly string[] {
  return text.split(',').map((phrase) => ` ${phrase.trim().replace(/\s+/g, ' ')} `);
}

/** By first word: phrases with that word, each with its place in the order. */
const byFirstWord = new Map<string, { readonly phrase: string; readonly order: number }[]>();
for (const [order, [, phrases]] of PHRASES.entries()) {
  for (const phrase of phrases) {
    const word = phrase.slice(1, phrase.indexOf(' ', 1));
    const before = byFirstWord.get(word);
    if (before === undefined) byFirstWord.set(word, [{ phrase, order }]);
    else before.push({ phrase, order });
  }
}

/** What the first of all phrases in the text says. Words have one space between them, and one around them all. */
export function findPhrase(words: string): Availability | undefined {
  let first = PHRASES.length;
  for (let at = 0, end = words.indexOf(' ', 1); end !== -1; at = end, end = words.indexOf(' ', at + 1)) {
    for (const { phrase, order } of byFirstWord.get(words.slice(at + 1, end)) ?? []) {
      if (order < first && words.startsWith(phrase, at)) first = order;
    }
  }
  return PHRASES[first]?.[0];
}
