/** A session without a worker around it. */
import { DomainSession } from '../../src/engine/domain-session.ts';
import { TemplateLedger } from '../../src/engine/frontier/template-ledger.ts';
import { PageBudget } from '../../src/engine/page-budget.ts';
import { DomainGate } from '../../src/engine/politeness/domain-gate.ts';
import { RobotsBook } from '../../src/engine/politeness/robots-book.ts';
import type { DueUrl } from '../../src/engine/visit.ts';

export function makeSession(changes: { successCount?: number } = {}): DomainSession {
  return new DomainSession({
    lease: { domainId: 1, domain: 'a.example', parentDomain: 'a.example', version: 1 },
    gate: new DomainGate({ delayMs: 0, maxConcurrent: 4 }),
    robots: new RobotsBook('ForagerBot'),
    templates: new TemplateLedger(),
    budget: new PageBudget(undefined),
    userAgent: 'ForagerBot/0.1',
    consecutiveErrors: 0,
    successCount: changes.successCount ?? 0,
  });
}

export function dueUrls(from: number, count: number): DueUrl[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `url-${from + n}`;
    return {
      ...{ hash: Buffer.from(id), id, url: `https://a.example/${from + n}`, depth: 1, priority: 2 },
      ...{ isSeed: false, redirectCount: 0, errorCount: 0, etag: undefined, lastModified: undefined },
      known: undefined,
    };
  });
}
