/**
 * Keeps a domain's account of URL shapes that have a budget (calendars, facets), so that an endless family
 * of URLs ends. Counts what was really new: a candidate that turned out to be known is taken back.
 */
import { FACET_BUDGET, templateBudget, urlTemplate } from './url-template.ts';

const MAX_TEMPLATES = 5000;
/** Facets make a shape of every combination of their names; together those of one path get this much. */
const FACETED_PATH_BUDGET = 5 * FACET_BUDGET;

type TemplateVerdict = { kind: 'admitted'; template: string | undefined } | { kind: 'refused' };

export class TemplateLedger {
  readonly #admitted = new Map<string, number>();
  readonly #facetedPaths = new Map<string, number>();

  constructor(admitted: Iterable<readonly [string, number]> = []) {
    for (const [template, count] of admitted) this.#add(template, count);
  }

  admit(key: string): TemplateVerdict {
    const template = urlTemplate(key);
    const budget = templateBudget(template);
    if (budget === Number.POSITIVE_INFINITY) return { kind: 'admitted', template: undefined };
    const count = this.#admitted.get(template) ?? 0;
    const path = facetedPath(template);
    const isFull =
      count >= budget ||
      (path !== undefined && (this.#facetedPaths.get(path) ?? 0) >= FACETED_PATH_BUDGET) ||
      // A site that invents shapes as well as URLs is a trap of its own.
      (count === 0 && this.#admitted.size >= MAX_TEMPLATES);
    if (isFull) return { kind: 'refused' };
    this.#add(template, 1);
    return { kind: 'admitted', template };
  }

  takeBack(template: string): void {
    this.#add(template, -1);
  }

  #add(template: string, count: number): void {
    this.#admitted.set(template, Math.max(0, (this.#admitted.get(template) ?? 0) + count));
    const path = facetedPath(template);
    if (path !== undefined)
      this.#facetedPaths.set(path, Math.max(0, (this.#facetedPaths.get(path) ?? 0) + count));
  }
}

function facetedPath(template: string): string | undefined {
  return templateBudget(template) === FACET_BUDGET ? template.slice(0, template.indexOf('?')) : undefined;
}
