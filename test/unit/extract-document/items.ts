import { parseDocument } from '../../../src/engine/extract/document/page-document.ts';
import { readMicrodata } from '../../../src/engine/extract/structured/microdata.ts';
import { readRdfa } from '../../../src/engine/extract/structured/rdfa.ts';
import type {
  StructuredData,
  StructuredValue,
} from '../../../src/engine/extract/structured/structured-item.ts';

export const PAGE_URL = 'http://shop.test/p/1';

/** Items as plain objects: `{ types, id, …properties }`, each property a list. */
export function microdataOf(html: string): unknown[] {
  return plain(readMicrodata(parseDocument(Buffer.from(html)), PAGE_URL));
}

export function rdfaOf(html: string): unknown[] {
  return plain(readRdfa(parseDocument(Buffer.from(html)), PAGE_URL));
}

function plain(data: StructuredData | undefined): unknown[] {
  return (data?.items ?? []).map(plainValue);
}

function plainValue(value: StructuredValue): unknown {
  if (typeof value === 'string') return value;
  const properties = [...value.properties].map(([name, values]) => [name, values.map(plainValue)] as const);
  return {
    ...(value.types.length > 0 ? { types: value.types } : {}),
    ...(value.id === undefined ? {} : { id: value.id }),
    ...Object.fromEntries(properties),
  };
}
