/** The register of workers: who is there, since when, and what it is at. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { identifySelf } from '../../platform/process-identity.ts';
import { readProgramVersion } from '../../platform/program-version.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { SILENT_SECONDS } from '../claim/claim-domains.ts';
import { isHolderGone, processMark } from '../claim/worker-identity.ts';

const register = loadSql(import.meta.url, './register-worker.sql');
const findWorker = loadSql(import.meta.url, './find-worker.sql');
const beat = loadSql(import.meta.url, './beat.sql');
const countWanted = loadSql(import.meta.url, './count-wanted.sql');

const REPLACED = 'worker-replaced';

/** Whether this is what a worker learns whose name another one has taken. */
export function isReplaced(error: unknown): boolean {
  return errorCode(error) === REPLACED;
}

export interface WorkerReport {
  readonly state: 'running' | 'draining' | 'stopped';
  readonly domainsCount: number;
  readonly inFlightCount: number;
  readonly wantedCount: number;
}

export interface Want {
  readonly workers: number;
  /** Domains they could take, all together. */
  readonly wanted: number;
  /** Domains they have. */
  readonly held: number;
}

/** What a worker does with tasks. */
export type Duty = 'crawl' | 'parse';

export interface RegisterEntry {
  readonly id: string;
  readonly kind: 'worker' | 'crawl';
  readonly runId: number;
  readonly duties: readonly Duty[];
}

interface Namesake {
  readonly host: string;
  readonly pid: number;
  readonly process_mark: string;
  readonly state: string;
  readonly silent_seconds: number;
}

export class Registry {
  readonly #db: Database;
  readonly #entry: RegisterEntry;
  /** Tells this life of the name from any other. */
  readonly #incarnation = randomBytes(8).toString('hex');

  constructor(db: Database, entry: RegisterEntry) {
    this.#db = db;
    this.#entry = entry;
  }

  /** Enters the register; refused when a living worker has the name. */
  async enter(): Promise<void> {
    const { id, kind, runId, duties } = this.#entry;
    const self = identifySelf();
    const found = await this.#db.query<Namesake>(findWorker, [id]);
    const namesake = found.rows[0];
    const isGone =
      namesake !== undefined &&
      isHolderGone(
        id,
        { host: namesake.host, pid: namesake.pid, mark: namesake.process_mark },
        this.#db.kind === 'embedded',
      );
    const { rows } = await inTransaction(this.#db, (tx) =>
      tx.query(register, [
        ...[id, this.#incarnation, kind, runId, hostname(), self.bootId ?? '', self.pid, processMark(self)],
        ...[readProgramVersion(), SILENT_SECONDS, isGone, duties],
      ]),
    );
    if (rows.length === 0) throw nameTaken(id, namesake);
  }

  /** Says that it lives; refused when somebody else has taken its name, which ends it. */
  async report(report: WorkerReport): Promise<void> {
    const { id } = this.#entry;
    const { state, domainsCount, inFlightCount, wantedCount } = report;
    const values = [id, this.#incarnation, state, domainsCount, inFlightCount, wantedCount];
    const { rows } = await inTransaction(this.#db, (tx) => tx.query(beat, values));
    if (rows.length > 0) return;
    throw new ForagerError(REPLACED, `Another worker goes by the name ${id} now; this one ends.`, {
      hint: 'give each worker a name of its own, or leave --id out',
    });
  }

  /** The last word of its life; nobody minds if it is not heard. */
  async leave(): Promise<void> {
    const nothing = { domainsCount: 0, inFlightCount: 0, wantedCount: 0 };
    await this.report({ state: 'stopped', ...nothing }).catch(() => undefined);
  }

  /** Others on the same run that could take more domains and cannot find any. */
  async findWant(): Promise<Want> {
    const { id, runId } = this.#entry;
    const { rows } = await this.#db.query<Want>(countWanted, [runId, id, SILENT_SECONDS]);
    return rows[0] ?? { workers: 0, wanted: 0, held: 0 };
  }
}

function nameTaken(id: string, namesake: Namesake | undefined): ForagerError {
  const where =
    namesake === undefined
      ? ''
      : ` (host ${namesake.host}, process ${namesake.pid}, heard of ${Math.round(namesake.silent_seconds)} s ago)`;
  return new ForagerError('worker-name-taken', `A worker named ${id} is at work already${where}.`, {
    hint: `give this one another --id, stop the other one, or wait: one that was killed elsewhere is taken for dead after ${SILENT_SECONDS} s of silence`,
  });
}
