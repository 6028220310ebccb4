/**
 * Items of a list that are judged one by one: one that is badly formed is told by its index and refuses none of the
 * others. At the door the rest of the body is held to its schema; of each item only that is kept from the handler which
 * nobody may be given: what is no text, and nesting that nobody could follow.
 */
import { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { type Fault, findFault, hasMoreValues, MOST_VALUES, replaceNoText } from './plain-values.ts';

/** In the place of an item that cannot be read. */
export class FaultyItem {
  /** What is wrong with it, and where: `url: NUL and …`. */
  readonly message: string;
  /** Its URL as far as it can be shown. */
  readonly url: string;

  constructor({ path, message }: Fault, item: unknown) {
    this.message = path === '' ? message : `${path}: ${message}`;
    this.url = replaceNoText(urlOf(item));
  }
}

/** Of an item that may be anything. */
export function urlOf(item: unknown): string {
  const url: unknown = typeof item === 'object' && item !== null && 'url' in item ? item.url : item;
  return typeof url === 'string' ? url.slice(0, 1000) : '';
}

export interface Parted {
  /** The body without the items. */
  readonly envelope: unknown;
  readonly items: readonly unknown[] | undefined;
}

export function partItems({ itemsApart }: Endpoint, body: unknown): Parted {
  if (itemsApart === undefined || typeof body !== 'object' || body === null) {
    return { envelope: body, items: undefined };
  }
  const items: unknown = Object.hasOwn(body, itemsApart) ? Reflect.get(body, itemsApart) : undefined;
  if (!Array.isArray(items)) return { envelope: body, items: undefined };
  return { envelope: { ...body, [itemsApart]: [] }, items };
}

/** Undefined: there are not too many values in them. */
export function findTooMany({ items = [] }: Parted, most = MOST_VALUES): Fault | undefined {
  return hasMoreValues(items, most) ? { path: 'body', message: `More than ${most} values` } : undefined;
}

/** The body whole again, as the handler gets it. */
export function joinItems(
  { itemsApart = '' }: Endpoint,
  envelope: unknown,
  { items }: Parted,
  rename: (value: unknown) => unknown,
): unknown {
  if (items === undefined || typeof envelope !== 'object' || envelope === null) return envelope;
  const read = items.map((item) => {
    const fault = findFault('', item);
    return fault === undefined ? rename(item) : new FaultyItem(fault, item);
  });
  return { ...envelope, [itemsApart]: read };
}

const opened = new WeakMap<z.ZodType, z.ZodType>();

/** The schema of the body, in which items may be anything. */
export function openItems({ itemsApart, body }: Endpoint): z.ZodType | undefined {
  if (itemsApart === undefined || !(body instanceof z.ZodObject)) return body;
  const known = opened.get(body);
  if (known !== undefined) return known;
  const list: unknown = body.shape[itemsApart];
  if (!(list instanceof z.ZodArray)) throw new Error(`${itemsApart} is no list of the body`);
  const anything = new z.ZodArray({ ...list.def, element: z.unknown() });
  const schema = body.safeExtend({ [itemsApart]: anything });
  opened.set(body, schema);
  return schema;
}
