import { describe, expect, it } from 'vitest';
import { dueUrls, makeSession } from '../support/crawl-session.ts';

describe('the window of a session', () => {
  it('gives due URLs in order and asks for more before it is empty', () => {
    const session = makeSession();
    expect(session.isLow).toBe(true);
    session.refill(dueUrls(0, session.beginRefill()));
    session.isRefilling = false;
    expect(session.isLow).toBe(false);
    expect(session.take()?.id).toBe('url-0');
    expect(session.take()?.id).toBe('url-1');
  });

  it('does not take up what it holds already, queued or in flight', () => {
    const session = makeSession();
    session.beginRefill();
    session.refill(dueUrls(0, 5));
    session.take();
    session.beginRefill();
    session.refill(dueUrls(0, 8));
    expect(session.queuedCount).toBe(7);
    expect(session.heldCount).toBe(8);
  });

  it('grows with the pace of its domain, within bounds', () => {
    const session = makeSession();
    let asked = 0;
    for (let round = 0; round < 12; round += 1) {
      asked = session.beginRefill();
      session.refill(dueUrls(round * 5000, 5000));
      const ids: string[] = [];
      for (let due = session.take(); due !== undefined; due = session.take()) ids.push(due.id);
      session.isRefilling = false;
      session.noteCommitted(ids);
    }
    expect(asked).toBe(1000);
  });

  it('what was put back goes first', () => {
    const session = makeSession();
    session.beginRefill();
    session.refill(dueUrls(0, 3));
    const first = session.take();
    if (first !== undefined) session.putBack(first);
    expect(session.take()?.id).toBe('url-0');
    expect(session.take()?.id).toBe('url-1');
  });

  it('letting go of the queue keeps what is in flight', () => {
    const session = makeSession();
    session.beginRefill();
    session.refill(dueUrls(0, 3));
    session.take();
    session.dropQueued();
    expect([session.queuedCount, session.heldCount]).toEqual([0, 1]);
  });
});

describe('a commit while a refill is being read', () => {
  it('does not let the refill bring back what the commit has closed', () => {
    const session = makeSession();
    session.beginRefill();
    session.refill(dueUrls(0, 2));
    session.isRefilling = false;
    session.take();
    session.beginRefill();
    // The answer was read before the commit could be seen, and arrives after it.
    session.noteCommitted(['url-0']);
    session.refill(dueUrls(0, 3));
    session.isRefilling = false;
    const queued: string[] = [];
    for (let due = session.take(); due !== undefined; due = session.take()) queued.push(due.id);
    expect(queued).toEqual(['url-1', 'url-2']);
  });

  it('does not let an empty answer end the domain', () => {
    const session = makeSession();
    session.beginRefill();
    session.noteCommitted([]);
    session.refill([]);
    session.isRefilling = false;
    expect(session.isDry).toBe(false);
    // Asked again, with nothing in between, the answer counts.
    session.beginRefill();
    session.refill([]);
    expect(session.isDry).toBe(true);
  });

  it('leaves what is due again for the next refill', () => {
    const session = makeSession();
    session.beginRefill();
    session.noteCommitted(['url-0']);
    session.refill(dueUrls(0, 1));
    session.isRefilling = false;
    session.beginRefill();
    session.refill(dueUrls(0, 1));
    expect(session.take()?.id).toBe('url-0');
  });
});

describe('sitemaps of a session', () => {
  it('are each read once, however often they are listed, and not without end', () => {
    const session = makeSession();
    session.addSitemaps([
      { url: '/a.xml', nesting: 0 },
      { url: '/a.xml', nesting: 1 },
    ]);
    session.sitemaps.shift();
    session.addSitemaps([{ url: '/a.xml', nesting: 2 }]);
    expect(session.sitemaps).toEqual([]);
    session.addSitemaps(Array.from({ length: 20_000 }, (_, n) => ({ url: `/${n}.xml`, nesting: 1 })));
    expect(session.sitemaps).toHaveLength(4999);
  });
});
