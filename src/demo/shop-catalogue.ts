import { composeParagraph, composeSentence, makeSlug } from './grammar.ts';
import { offerByList } from './price-lists.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { Availability, Category, Product, ShopCategoryPlan, ShopPlan } from './shop-plan.ts';

export interface Shelf {
  readonly category: Category;
  readonly products: readonly Product[];
}

/** Stocks the shelves: the same plan and price list give the same goods at the same prices, always. */
export function stockShelves(plan: ShopPlan, priceList = 0): Shelf[] {
  const takenNames = new Set<string>();
  return plan.categories.map((categoryPlan) => {
    const category = {
      slug: makeSlug(categoryPlan.title),
      title: categoryPlan.title,
      blurb: categoryPlan.blurb,
    };
    const random = createRandom(`${plan.domain}/${category.slug}`);
    const products: Product[] = [];
    for (let index = 0; index < categoryPlan.productCount; index += 1) {
      const name = inventName(plan, categoryPlan, random, takenNames);
      const product = makeProduct(plan, categoryPlan, category, name, index, random);
      products.push(offerByList(plan, product, priceList));
    }
    return { category, products };
  });
}

function inventName(
  plan: ShopPlan,
  categoryPlan: ShopCategoryPlan,
  random: Random,
  takenNames: Set<string>,
): string {
  for (;;) {
    const name = `${random.pick(plan.adjectives)} ${random.pick(categoryPlan.nouns)}`;
    if (takenNames.has(name)) continue;
    takenNames.add(name);
    return name;
  }
}

function makeProduct(
  plan: ShopPlan,
  categoryPlan: ShopCategoryPlan,
  category: Category,
  name: string,
  index: number,
  random: Random,
): Product {
  const range = categoryPlan.dearestPence - categoryPlan.cheapestPence;
  const pricePence = Math.round((categoryPlan.cheapestPence + random.next() ** 2 * range) / 5) * 5;
  return {
    slug: makeSlug(name),
    name,
    sku: `${category.slug.slice(0, 3).toUpperCase()}-${String(index + 1).padStart(3, '0')}`,
    brand: random.pick(plan.brands),
    category,
    colour: random.pick(plan.colours),
    size: random.pick(plan.sizes),
    pricePence,
    availability: chooseAvailability(random),
    ratingTenths: random.between(34, 50),
    reviewCount: random.between(2, 140),
    blurb: composeSentence(plan.grammar, 'blurb', random),
    story: [
      composeParagraph(plan.grammar, 'story', random, 3),
      composeParagraph(plan.grammar, 'story', random, 2),
    ],
    hue: random.between(0, 359),
    modifiedOn: `2025-0${random.between(1, 3)}-${String(random.between(1, 28)).padStart(2, '0')}`,
  };
}

function chooseAvailability(random: Random): Availability {
  const draw = random.next();
  if (draw < 0.8) return 'InStock';
  return draw < 0.93 ? 'OutOfStock' : 'PreOrder';
}

/** Four neighbours from the same shelf and one surprise from another. */
export function findRelated(product: Product, shelves: readonly Shelf[]): Product[] {
  const random = createRandom(`related:${product.slug}`);
  const isSameShelf = (shelf: Shelf): boolean => shelf.category === product.category;
  const neighbours = shelves
    .filter(isSameShelf)
    .flatMap((shelf) => shelf.products)
    .filter((other) => other !== product);
  const strangers = shelves.filter((shelf) => !isSameShelf(shelf)).flatMap((shelf) => shelf.products);
  return [...random.pickSome(neighbours, 4), ...random.pickSome(strangers, 1)];
}
