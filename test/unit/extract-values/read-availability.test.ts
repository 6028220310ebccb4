/** Stock, as schema.org and as shops say it. */
import { describe, expect, it } from 'vitest';
import type { Availability } from '../../../src/engine/extract/product-fields.ts';
import { readAvailability } from '../../../src/engine/extract/values/read-availability.ts';

const SCHEMA: Readonly<Record<string, Availability>> = {
  InStock: 'in_stock',
  OnlineOnly: 'in_stock',
  MadeToOrder: 'in_stock',
  LimitedAvailability: 'limited',
  InStoreOnly: 'in_store_only',
  PreOrder: 'preorder',
  PreSale: 'preorder',
  BackOrder: 'backorder',
  OutOfStock: 'out_of_stock',
  SoldOut: 'out_of_stock',
  Reserved: 'out_of_stock',
  Discontinued: 'discontinued',
};

describe('a value of schema.org', () => {
  it.each(Object.entries(SCHEMA))('%s is %s, however it is written', (value, availability) => {
    const words = value.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    const spellings = [
      value,
      value.toLowerCase(),
      value.toUpperCase(),
      `http://schema.org/${value}`,
      `https://schema.org/${value}`,
      `https://www.schema.org/${value}`,
      `http://schema.org/${value.toLowerCase()}`,
      `schema:${value}`,
      `ItemAvailability.${value}`,
      `https://schema.org/ItemAvailability#${value}`,
      ` ${value}\n`,
      words,
      words.replaceAll(' ', '_').toLowerCase(),
      words.replaceAll(' ', '-'),
    ];
    for (const spelling of spellings)
      expect([spelling, readAvailability(spelling)]).toEqual([spelling, availability]);
  });
});

const PHRASES: Readonly<Record<Availability, readonly string[]>> = {
  in_stock: [
    ...[
      'In stock',
      'in stock.',
      '12 in stock',
      'In Stock – ships today',
      'Available',
      'Availability: In stock',
      'Available now',
    ],
    ...[
      'Auf Lager',
      'Sofort lieferbar',
      'Verfügbarkeit: vorrätig',
      'lagernd',
      'Lieferbar in 2-3 Tagen',
      'An Lager',
    ],
    ...['En stock', 'Disponible', 'Disponible immédiatement', 'Hay stock', 'En existencias'],
    ...['Disponibile', 'Pronta consegna', 'Em estoque', 'Disponível', 'Em stock'],
    ...['Op voorraad', 'Direct leverbaar', 'Dostępny', 'W magazynie', 'Skladem', 'Skladem 5 ks', 'Skladom'],
    ...['I lager', 'Finns i lager', 'På lager', 'Varastossa', 'Heti saatavilla'],
    ...['В наличии', 'Есть в наличии', 'В наявності', 'Є в наявності', 'Stokta var', 'Stokta'],
    ...[
      'Raktáron',
      'Készleten',
      'În stoc',
      'In stoc',
      'Διαθέσιμο',
      'Άμεσα διαθέσιμο',
      'В наличност',
      'Na zalihi',
      'Na zalogi',
    ],
    ...[
      '在庫あり',
      '有货',
      '现货',
      '有貨',
      '재고 있음',
      '구매 가능',
      'متوفر',
      'متاح',
      'במלאי',
      'Còn hàng',
      'Tersedia',
      'มีสินค้า',
    ],
  ],
  out_of_stock: [
    ...[
      'Out of stock',
      'OUT-OF-STOCK',
      'Sold out',
      'Not in stock',
      'Currently unavailable',
      'not available',
      'No stock',
      '0 in stock',
    ],
    ...[
      'In stock: 0',
      'Temporarily out of stock',
      'Notify me when available',
      'Back in stock soon',
      'Only 0 left',
    ],
    ...[
      'This item is not currently available',
      'Der Artikel ist nicht sofort lieferbar',
      'no está actualmente disponible',
      'não se encontra disponível',
      'Ausverkauft',
      'Nicht auf Lager',
      'Nicht verfügbar',
      'Derzeit nicht lieferbar',
      'Vergriffen',
      'Leider nicht mehr auf Lager',
    ],
    ...[
      'Rupture de stock',
      'Épuisé',
      'Indisponible',
      'Non disponible',
      'Agotado',
      'Sin stock',
      'No disponible',
      'Sin existencias',
    ],
    ...[
      'Esaurito',
      'Non disponibile',
      'Esgotado',
      'Indisponível',
      'Fora de estoque',
      'Uitverkocht',
      'Niet op voorraad',
    ],
    ...[
      'Niedostępny',
      'Brak w magazynie',
      'Wyprzedane',
      'Vyprodáno',
      'Není skladem',
      'Vypredané',
      'Nie je skladom',
    ],
    ...[
      'Slut i lager',
      'Slutsåld',
      'Ej i lager',
      'Udsolgt',
      'Ikke på lager',
      'Utsolgt',
      'Loppu',
      'Ei varastossa',
      'Loppuunmyyty',
    ],
    ...[
      'Нет в наличии',
      'Нет на складе',
      'Распродано',
      'Немає в наявності',
      'Tükendi',
      'Stokta yok',
      'Elfogyott',
      'Nincs raktáron',
    ],
    ...[
      'Stoc epuizat',
      'Indisponibil',
      'Nu este în stoc',
      'Εξαντλήθηκε',
      'Μη διαθέσιμο',
      'Изчерпано',
      'Rasprodano',
      'Ni na zalogi',
    ],
    ...[
      '在庫切れ',
      '在庫なし',
      '売り切れ',
      '缺货',
      '售罄',
      '無庫存',
      '품절',
      '재고 없음',
      'غير متوفر',
      'نفدت الكمية',
      'אזל מהמלאי',
      'לא במלאי',
    ],
    ...['Hết hàng', 'Stok habis', 'สินค้าหมด'],
  ],
  limited: [
    ...[
      'Only 3 left',
      'only 2 left in stock',
      'Low stock',
      '5 left',
      'Limited stock',
      'Just 1 left – hurry',
      'Last few',
    ],
    ...[
      'Nur noch 3 auf Lager',
      'Nur noch wenige verfügbar',
      'Geringer Bestand',
      'Plus que 3 en stock',
      'Derniers articles en stock',
    ],
    ...[
      'Solo quedan 3',
      'Últimas unidades',
      'Ultimi pezzi',
      'Ultimi 3 disponibili',
      'Restam 3 unidades',
      'Nog maar 3 op voorraad',
    ],
    ...[
      'Ostatnie sztuki',
      'Tylko 3 w magazynie',
      'Poslední kusy',
      'Fåtal kvar',
      'Kun 3 tilbage',
      'Vain 3 jäljellä',
    ],
    ...[
      'Осталось 3 шт',
      'Son 3 ürün',
      'Utolsó darabok',
      'Stoc limitat',
      'Τελευταία κομμάτια',
      '残りわずか',
      '残り3点',
      '仅剩3件',
      '품절임박',
    ],
  ],
  preorder: [
    ...[
      'Pre-order',
      'Preorder now',
      'Pre-order now!',
      'Coming soon',
      'Vorbestellen',
      'Jetzt vorbestellen',
      'Précommande',
      'Preventa',
    ],
    ...[
      'Preordine',
      'Pré-venda',
      'Przedsprzedaż',
      'Předobjednávka',
      'Förbeställ',
      'Forudbestil',
      'Ennakkotilaus',
      'Предзаказ',
      'Ön sipariş',
    ],
    ...[
      'Előrendelés',
      'Precomandă',
      'Προπαραγγελία',
      '予約受付中',
      '预售',
      '예약판매',
      'طلب مسبق',
      'הזמנה מוקדמת',
      'Out of stock – pre-order now',
    ],
  ],
  backorder: [
    ...[
      'Backorder',
      'Back-order',
      'Available on backorder',
      'On backorder',
      'Out of stock, available on back order',
    ],
    ...[
      'Wird nachbestellt',
      'Lieferbar ab 12. Mai',
      'Sur commande',
      'Bajo pedido',
      'Su ordinazione',
      'Sob encomenda',
      'Op bestelling',
    ],
    ...[
      'Na zamówienie',
      'Na objednávku',
      'Beställningsvara',
      'Tilaustuote',
      'Под заказ',
      'Під замовлення',
      'お取り寄せ',
      '入荷待ち',
    ],
  ],
  in_store_only: [
    ...[
      'In store only',
      'Available in store only',
      'Nur in der Filiale',
      'Uniquement en magasin',
      'Solo en tienda',
      'Solo in negozio',
    ],
    ...[
      'Not available online, in store only',
      'Alleen in de winkel',
      'Kun i butik',
      'Только в магазине',
      '店舗限定',
    ],
  ],
  discontinued: [
    ...[
      'Discontinued',
      'This product has been discontinued',
      'No longer available',
      'Nicht mehr lieferbar',
      'Descatalogado',
    ],
    ...[
      'Fuori produzione',
      'Niet meer leverbaar',
      'Wycofany ze sprzedaży',
      'Utgått',
      'Снят с производства',
      '生産終了',
      '停产',
      '단종',
    ],
  ],
};

for (const [availability, phrases] of Object.entries(PHRASES)) {
  describe(`what is said of ${availability}`, () => {
    it.each(phrases)('%j', (phrase) => {
      expect(readAvailability(phrase)).toBe(availability);
    });
  });
}

describe('what says nothing about it', () => {
  it.each([
    '',
    ' ',
    'Add to cart',
    'Availability',
    'https://schema.org/NewCondition',
    'Brand',
    'only 3 days',
    '12,99 €',
    '\u0000',
  ])('%j', (text) => {
    expect(readAvailability(text)).toBeUndefined();
  });

  it('is looked at only so far', () => {
    expect(readAvailability(`${'x '.repeat(1_000)} in stock`)).toBeUndefined();
  });
});
