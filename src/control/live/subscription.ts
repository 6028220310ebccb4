/**
 * One subscriber: what it missed since it was last here, then everything as it happens, nothing twice. It joins the
 * feed first and reads what it missed then, so that nothing falls in between; what comes meanwhile waits.
 */
import { type LiveType, MOST_MISSED } from '../../contract/live.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DomainId } from '../domains/find-domain.ts';
import type { Move } from './domain-tail.ts';
import { gapEvent, type LiveFeed, type Subscriber, type Told, toEvent } from './live-feed.ts';
import type { Place } from './place.ts';

const readMoves = prepared('read-moves', loadSql(import.meta.url, './read-moves.sql'));
const readMovesOfDomain = loadSql(import.meta.url, './read-moves-of-domain.sql');
const readLastNumbers = prepared('read-last-numbers', loadSql(import.meta.url, './read-last-numbers.sql'));

export interface SubscriptionOrder {
  readonly types: ReadonlySet<LiveType>;
  /** Of the changes of state and of products only this domain's. */
  readonly domain: DomainId | undefined;
  /** Where it was; undefined for a newcomer, 'unknown' for one whose place makes no sense here. */
  readonly after: Place | 'unknown' | undefined;
}

export interface Subscription {
  /** Where it begins; undefined when it does not want to know of domains, to which alone places belong. */
  readonly place: Place | undefined;
  /** What it missed. */
  readonly missed: readonly Told[];
  /** From now on it is told, first what has come since it joined. */
  start(tell: (told: Told) => void): void;
  leave(): void;
}

export async function subscribe(
  db: Database,
  feed: Pick<LiveFeed, 'join' | 'leave' | 'place'>,
  order: SubscriptionOrder,
): Promise<Subscription> {
  const hasPlace = order.types.has('domain');
  const waiting: Told[] = [];
  let tell = (told: Told): void => void waiting.push(told);
  let isNews = (_number: number): boolean => true;
  const isWanted = ({ event }: Told): boolean => {
    if (event.type !== 'domain' && event.type !== 'product') return true;
    if (order.domain !== undefined && event.domain !== order.domain.domain) return false;
    return event.type === 'product' || isNews(event.id);
  };
  const subscriber: Subscriber = {
    types: order.types,
    tell: (told) => {
      // The numbers have begun anew, and with them what is news.
      if (told.event.type === 'gap') isNews = () => true;
      if (isWanted(told)) tell(told);
    },
  };
  await feed.join(subscriber);
  try {
    const here = feed.place;
    const { place, missed } = hasPlace ? await catchUp(db, order, here) : { place: here, missed: [] };
    isNews = tellsNews(place, missed);
    return {
      place: hasPlace ? place : undefined,
      missed,
      start: (listener) => {
        tell = listener;
        for (const told of waiting.splice(0)) if (isWanted(told)) listener(told);
      },
      leave: () => feed.leave(subscriber),
    };
  } catch (error) {
    feed.leave(subscriber);
    throw error;
  }
}

interface CatchUp {
  /** From which it is brought up to date. */
  readonly place: Place;
  readonly missed: readonly Told[];
}

async function catchUp(db: Database, order: SubscriptionOrder, here: Place): Promise<CatchUp> {
  const { after, domain } = order;
  if (after === undefined) return { place: here, missed: [] };
  if (after === 'unknown' || !(await isKnown(db, after))) return startAfresh('unknown-place', here);
  const values = [after.last, after.missing, MOST_MISSED + 1];
  const { rows } =
    domain === undefined
      ? await db.query<Move>(readMoves, values)
      : await db.query<Move>(readMovesOfDomain, [...values, domain.id]);
  // What is newer than the feed knows comes by the feed, in a moment.
  const moves = rows.filter(({ id }) => id <= here.last);
  if (moves.length > MOST_MISSED) return startAfresh('too-many', here);
  const missing = new Set([...after.missing, ...here.missing.filter((number) => number > after.last)]);
  const missed = moves.map((move) => {
    missing.delete(move.id);
    const last = Math.max(after.last, move.id);
    return { event: toEvent(move), place: { last, missing: [...missing].filter((one) => one < last) } };
  });
  return { place: after, missed };
}

function startAfresh(reason: 'too-many' | 'unknown-place', here: Place): CatchUp {
  return { place: here, missed: [{ event: gapEvent(reason), place: here }] };
}

/** The numbers may have begun anew, in a database that was restored. */
async function isKnown(db: Database, { last }: Place): Promise<boolean> {
  const { rows } = await db.query<{ id: number }>(readLastNumbers, [1]);
  return last <= (rows[0]?.id ?? 0);
}

/** Not what it knew when it came, and not what it was sent since: a feed may be a moment behind another. */
function tellsNews(place: Place, missed: readonly Told[]): (number: number) => boolean {
  const sent = new Set(missed.flatMap(({ event }) => (event.type === 'domain' ? [event.id] : [])));
  const missing = new Set(place.missing);
  return (number) => (number > place.last || missing.has(number)) && !sent.has(number);
}
