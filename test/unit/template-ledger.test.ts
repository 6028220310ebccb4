import { describe, expect, it } from 'vitest';
import { TemplateLedger } from '../../src/engine/frontier/template-ledger.ts';
import { CALENDAR_BUDGET } from '../../src/engine/frontier/url-template.ts';

const month = (n: number): string => `http://a.example/events/${1900 + Math.floor(n / 12)}/${(n % 12) + 1}`;

describe('TemplateLedger', () => {
  it('admits plain pages without end and without an account', () => {
    const ledger = new TemplateLedger();
    for (let n = 0; n < 5000; n += 1) {
      expect(ledger.admit(`http://a.example/product/${n}`)).toEqual({
        kind: 'admitted',
        template: undefined,
      });
    }
  });

  it('admits a calendar up to its budget, and what turned out to be known does not count', () => {
    const ledger = new TemplateLedger();
    let template: string | undefined;
    for (let n = 0; n < CALENDAR_BUDGET; n += 1) {
      const admission = ledger.admit(month(n));
      expect(admission.kind).toBe('admitted');
      if (admission.kind === 'admitted') template = admission.template;
    }
    expect(ledger.admit(month(CALENDAR_BUDGET))).toEqual({ kind: 'refused' });
    ledger.takeBack(template ?? '');
    expect(ledger.admit(month(CALENDAR_BUDGET)).kind).toBe('admitted');
    expect(ledger.admit(month(CALENDAR_BUDGET + 1)).kind).toBe('refused');
  });

  it('goes on from what earlier sessions admitted', () => {
    const admission = new TemplateLedger().admit(month(0));
    const template = admission.kind === 'admitted' ? (admission.template ?? '') : '';
    const ledger = new TemplateLedger([[template, CALENDAR_BUDGET - 1]]);
    expect(ledger.admit(month(1)).kind).toBe('admitted');
    expect(ledger.admit(month(2)).kind).toBe('refused');
  });

  it('facets that combine into ever new shapes on one path share one account, also across sessions', () => {
    const shapes = [
      'colour&size',
      'colour&price',
      'size&price',
      'size&weight',
      'colour&weight',
      'price&weight',
    ];
    const urls = shapes.flatMap((names) =>
      Array.from({ length: 1000 }, (_, n) => `http://a.example/list?${names.replace('&', `=${n}&`)}=${n}`),
    );
    const ledger = new TemplateLedger();
    const counts = new Map<string, number>();
    for (const url of urls) {
      const admission = ledger.admit(url);
      if (admission.kind === 'refused' || admission.template === undefined) continue;
      counts.set(admission.template, (counts.get(admission.template) ?? 0) + 1);
    }
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(5000);
    expect(new TemplateLedger(counts).admit('http://a.example/list?size=1&brand=2').kind).toBe('refused');
    expect(new TemplateLedger(counts).admit('http://a.example/other?size=1&brand=2').kind).toBe('admitted');
  });

  it('a site that invents ever new shapes runs out of them', () => {
    const ledger = new TemplateLedger();
    const word = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const kinds = Array.from(
      { length: 6000 },
      (_, n) => ledger.admit(`http://a.example/${word(n)}?x=1&y=2`).kind,
    );
    expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(5000);
    // A shape that has an account keeps it.
    expect(ledger.admit(`http://a.example/${word(0)}?x=3&y=4`).kind).toBe('admitted');
  });
});
