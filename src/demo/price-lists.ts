import { createRandom } from './random.ts';
import type { Availability, Product, ShopPlan } from './shop-plan.ts';

const PRICE_CHANGES = 0.12;
const STOCK_CHANGES = 0.05;
/** By how much, up or down. */
const LARGEST_STEP = 0.25;
const SMALLEST_STEP = 0.05;
const STEP_PENCE = 5;

/** A product as it is offered by the shop's so-many-th price list; the first one, 0, is what it opened with. */
export function offerByList(plan: ShopPlan, product: Product, list: number): Product {
  let offered = product;
  for (let number = 1; number <= list; number += 1) offered = turnOver(plan, offered, number);
  return offered;
}

/** Every list changes a few prices, and what is in stock of a few others: the same ones, always. */
function turnOver(plan: ShopPlan, product: Product, list: number): Product {
  const random = createRandom(`${plan.domain}/${product.slug}/list ${list}`);
  const draw = random.next();
  if (draw >= PRICE_CHANGES + STOCK_CHANGES) return product;
  const modifiedOn = `2025-${String(4 + (list % 8)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`;
  if (draw >= PRICE_CHANGES) return { ...product, modifiedOn, availability: next(product.availability) };
  const step = SMALLEST_STEP + random.next() * (LARGEST_STEP - SMALLEST_STEP);
  const factor = random.next() < 0.6 ? 1 - step : 1 + step;
  const steps = Math.max(1, Math.round((product.pricePence * factor) / STEP_PENCE));
  const pricePence = steps * STEP_PENCE;
  // What is so cheap that a step changes nothing goes up by the smallest coin.
  return {
    ...product,
    modifiedOn,
    pricePence: pricePence === product.pricePence ? pricePence + STEP_PENCE : pricePence,
  };
}

function next(availability: Availability): Availability {
  return availability === 'InStock' ? 'OutOfStock' : 'InStock';
}
