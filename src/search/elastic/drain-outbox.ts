/** Tells the search server of what has changed. Twice, or by two at once, changes nothing: versions decide. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Change, sendBulk, type Verdict } from './bulk.ts';
import { readDocuments } from './documents.ts';
import { aliasOf, buildingAliasOf, INDEX_KINDS, type IndexKind } from './indexes.ts';
import type { SearchTransport } from './transport.ts';

const takeOutbox = loadSql(import.meta.url, './take-outbox.sql');
const settleOutbox = loadSql(import.meta.url, './settle-outbox.sql');
const postponeOutbox = loadSql(import.meta.url, './postpone-outbox.sql');
const rejectOutbox = loadSql(import.meta.url, './reject-outbox.sql');
const readReindexes = loadSql(import.meta.url, './read-reindexes.sql');
const noteSuccess = loadSql(import.meta.url, './note-success.sql');
const noteFailure = loadSql(import.meta.url, './note-failure.sql');

const PORTION = 500;

export interface Draining {
  readonly db: Database;
  readonly transport: Pick<SearchTransport, 'request'>;
  readonly prefix: string;
}

interface Entry {
  readonly kind: IndexKind;
  readonly key: number;
  readonly version: number;
}

/** How many it was told of. Throws when it does not answer: nothing is lost then, and nothing counts as tried. */
export async function drainOutbox(parts: Draining, isOver: () => boolean = () => false): Promise<number> {
  const { db } = parts;
  let count = 0;
  try {
    while (!isOver()) {
      const { rows: entries } = await db.query<Entry>(takeOutbox, [PORTION]);
      if (entries.length === 0) break;
      await tell(parts, entries);
      count += entries.length;
    }
    return count;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await inTransaction(db, (tx) => tx.query(noteFailure, [reason.slice(0, 500)]));
    throw error;
  }
}

async function tell({ db, transport, prefix }: Draining, entries: readonly Entry[]): Promise<void> {
  // Before the rows are read: whatever changes after that is in the outbox again, and goes to an index begun meanwhile.
  const { rows: building } = await db.query<{ kind: IndexKind; indexName: string }>(readReindexes);
  const verdicts = new Map<Entry, Verdict>();
  for (const kind of INDEX_KINDS) {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    const documents = await readDocuments(
      db,
      kind,
      ofKind.map(({ key }) => key),
    );
    const changesFor = (alias: string): Change[] =>
      ofKind.map(({ key, version }) => ({ alias, id: key, version, document: documents.get(key) }));
    for (const { indexName } of building.filter((other) => other.kind === kind)) {
      const judged = await sendBulk(transport, changesFor(buildingAliasOf(indexName)));
      judgeAll(verdicts, ofKind, judged.map(doneWithoutIndex));
    }
    judgeAll(verdicts, ofKind, await sendBulk(transport, changesFor(aliasOf(prefix, kind))));
  }
  await settle(db, verdicts);
}

/** It is in its place by now, or was deleted: then it is begun anew, and what is told here is copied with the rest. */
function doneWithoutIndex(verdict: Verdict): Verdict {
  return verdict.kind === 'again' && verdict.isIndexMissing === true ? { kind: 'done' } : verdict;
}

/** Where it goes to two indexes, the worse verdict counts. */
function judgeAll(
  verdicts: Map<Entry, Verdict>,
  entries: readonly Entry[],
  judged: readonly Verdict[],
): void {
  for (const [index, entry] of entries.entries()) {
    const verdict = judged[index] ?? { kind: 'again', reason: 'it did not say what became of it' };
    const before = verdicts.get(entry);
    if (before === undefined || before.kind === 'done' || verdict.kind === 'again')
      verdicts.set(entry, verdict);
  }
}

async function settle(db: Database, verdicts: ReadonlyMap<Entry, Verdict>): Promise<void> {
  const of = (kind: Verdict['kind']) => [...verdicts].filter(([, verdict]) => verdict.kind === kind);
  const columns = (pairs: readonly (readonly [Entry, Verdict])[]) => [
    pairs.map(([entry]) => entry.kind),
    pairs.map(([entry]) => entry.key),
  ];
  const versions = (pairs: readonly (readonly [Entry, Verdict])[]) => pairs.map(([entry]) => entry.version);
  const [done, again, never] = [of('done'), of('again'), of('never')];
  await inTransaction(db, async (tx) => {
    if (done.length > 0) await tx.query(settleOutbox, [...columns(done), versions(done)]);
    if (again.length > 0) await tx.query(postponeOutbox, columns(again));
    if (never.length > 0) {
      const reasons = never.map(([, verdict]) => (verdict.kind === 'never' ? verdict.reason : ''));
      await tx.query(rejectOutbox, [...columns(never), versions(never), reasons]);
    }
    const [, failed] = again[0] ?? [];
    if (failed === undefined || failed.kind === 'done') await tx.query(noteSuccess);
    else await tx.query(noteFailure, [failed.reason]);
  });
}
