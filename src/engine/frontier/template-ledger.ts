/**
 * Keeps a domain's account of URL shapes that have a budget (calendars, facets), so that an endless family
 * of URLs ends. Counts what was really new: a candidate that turned out to be known is taken back.
 */
import { templateBudget, urlTemplate } from './url-template.ts';

const MAX_TEMPLATES = 5000;

type TemplateVerdict = { kind: 'admitted'; template: string | undefined } | { kind: 'refused' };

export class TemplateLedger {
  readonly #admitted: Map<string, number>;

  constructor(admitted: Iterable<readonly [string, number]> = []) {
    this.#admitted = new Map(admitted);
  }

  admit(key: string): TemplateVerdict {
    const template = urlTemplate(key);
    const budget = templateBudget(template);
    if (budget === Number.POSITIVE_INFINITY) return { kind: 'admitted', template: undefined };
    const count = this.#admitted.get(template) ?? 0;
    // A site that invents shapes as well as URLs is a trap of its own.
    const isFull = count >= budget || (count === 0 && this.#admitted.size >= MAX_TEMPLATES);
    if (isFull) return { kind: 'refused' };
    this.#admitted.set(template, count + 1);
    return { kind: 'admitted', template };
  }

  takeBack(template: string): void {
    this.#admitted.set(template, Math.max(0, (this.#admitted.get(template) ?? 0) - 1));
  }
}
