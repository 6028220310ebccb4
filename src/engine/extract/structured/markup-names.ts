/**
 * Names of microdata and RDFa without the address of their vocabulary. schema.org is understood however its address is
 * written; the vocabularies that shops used before it are told in its words; names of others stay whole.
 */

const SCHEMA_ORG = /^(?:https?)?[:/]*(?:[a-z-]+\.)?schema\.org(?:\/version\/[^/]+)?[/#:]+/i;
const DATA_VOCABULARY = /^(?:https?)?[:/]*(?:www\.|rdf\.)?data-vocabulary\.org[/#]+/i;
const GOOD_RELATIONS = /^(?:https?)?[:/]*(?:www\.)?purl\.org\/goodrelations\/v1[/#]+/i;

const types = new Map([
  // data-vocabulary.org
  ['offer-aggregate', 'AggregateOffer'],
  ['offeraggregate', 'AggregateOffer'],
  ['review-aggregate', 'AggregateRating'],
  ['reviewaggregate', 'AggregateRating'],
  // GoodRelations
  ['offering', 'Offer'],
  ['unitpricespecification', 'UnitPriceSpecification'],
  ['someitems', 'Product'],
  ['individual', 'Product'],
  ['productorservice', 'Product'],
  ['productorservicemodel', 'Product'],
  ['productorservicessomeinstancesplaceholder', 'Product'],
  ['actualproductorserviceinstance', 'Product'],
  ['businessentity', 'Organization'],
]);

const dataVocabulary = new Map([
  ['currency', 'priceCurrency'],
  ['offerDetails', 'offers'],
  ['offerdetails', 'offers'],
  ['rating', 'ratingValue'],
  ['average', 'ratingValue'],
  ['best', 'bestRating'],
  ['worst', 'worstRating'],
  ['count', 'reviewCount'],
  ['votes', 'ratingCount'],
  ['lowprice', 'lowPrice'],
  ['highprice', 'highPrice'],
  ['photo', 'image'],
  ['title', 'name'],
]);

const goodRelations = new Map([
  ['hasPriceSpecification', 'priceSpecification'],
  ['hasCurrency', 'priceCurrency'],
  ['hasCurrencyValue', 'price'],
  ['hasMinCurrencyValue', 'minPrice'],
  ['hasMaxCurrencyValue', 'maxPrice'],
  ['valueAddedTaxIncluded', 'valueAddedTaxIncluded'],
  ['hasUnitOfMeasurement', 'unitCode'],
  ['hasBrand', 'brand'],
  ['hasManufacturer', 'manufacturer'],
  ['hasEAN_UCC-13', 'gtin13'],
  ['hasGTIN-14', 'gtin14'],
  ['hasGTIN-8', 'gtin8'],
  ['hasMPN', 'mpn'],
  ['hasStockKeepingUnit', 'sku'],
  ['includes', 'itemOffered'],
  ['typeOfGood', 'itemOffered'],
  ['hasMakeAndModel', 'model'],
  ['hasInventoryLevel', 'inventoryLevel'],
  ['condition', 'itemCondition'],
  ['validThrough', 'priceValidUntil'],
  ['availableAtOrFrom', 'availableAtOrFrom'],
  ['offers', 'makesOffer'],
]);

/** Of other vocabularies that stand beside GoodRelations. */
const others = new Map([
  ['http://xmlns.com/foaf/0.1/depiction', 'image'],
  ['http://xmlns.com/foaf/0.1/thumbnail', 'thumbnailUrl'],
  ['http://xmlns.com/foaf/0.1/page', 'url'],
  ['http://www.w3.org/2000/01/rdf-schema#label', 'name'],
  ['http://www.w3.org/2000/01/rdf-schema#comment', 'description'],
  ['http://schema.org/lowprice', 'lowPrice'],
]);

/** What the value of a property is, in a link: its text or its address. A name is never an address. */
const textual = new Set([
  'name',
  'alternateName',
  'description',
  'brand',
  'manufacturer',
  'category',
  'color',
  'size',
  'material',
  'price',
  'lowPrice',
  'highPrice',
  'priceCurrency',
  'sku',
  'mpn',
  'gtin',
  'gtin8',
  'gtin12',
  'gtin13',
  'gtin14',
  'productID',
  'ratingValue',
  'reviewCount',
  'ratingCount',
]);

export function isTextual(name: string): boolean {
  return textual.has(name);
}

/** `Product` of `https://schema.org/Product`. */
export function localType(iri: string): string {
  const local = withoutSlash(iri.replace(SCHEMA_ORG, ''));
  if (local !== withoutSlash(iri)) return local;
  if (!DATA_VOCABULARY.test(iri) && !GOOD_RELATIONS.test(iri)) return iri;
  const old = withoutSlash(iri.replace(DATA_VOCABULARY, '').replace(GOOD_RELATIONS, ''));
  return types.get(old.toLowerCase()) ?? old;
}

/** `name` of `http://schema.org/name`. */
export function localProperty(iri: string): string {
  if (!iri.includes('/')) return iri;
  const local = withoutSlash(iri.replace(SCHEMA_ORG, ''));
  if (local !== withoutSlash(iri)) return local;
  if (DATA_VOCABULARY.test(iri)) return oldProperty(withoutSlash(iri.replace(DATA_VOCABULARY, '')));
  if (GOOD_RELATIONS.test(iri)) {
    const name = withoutSlash(iri.replace(GOOD_RELATIONS, ''));
    return goodRelations.get(name) ?? name;
  }
  return others.get(iri) ?? iri;
}

/** Whether short names in an item of this type are those of data-vocabulary.org. */
export function isDataVocabulary(type: string): boolean {
  return DATA_VOCABULARY.test(type);
}

export function oldProperty(name: string): string {
  return dataVocabulary.get(name) ?? name;
}

function withoutSlash(name: string): string {
  return name.endsWith('/') ? name.slice(0, -1) : name;
}
