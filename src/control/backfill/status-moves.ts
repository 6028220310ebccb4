/** From one state to another by legal moves alone, as few as possible. */
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { DomainStatus } from '../domains/list-domains.ts';

const readStatement = loadSql(import.meta.url, './read-moves.sql');
const moveStatement = loadSql(import.meta.url, './move-status.sql');

export interface StatusMove {
  readonly from: DomainStatus;
  readonly to: DomainStatus;
  readonly code: string;
}

export async function moveStatus(
  tx: Transaction,
  id: number,
  from: DomainStatus,
  to: DomainStatus,
  code: string,
): Promise<void> {
  const { rows } = await tx.query<StatusMove>(readStatement);
  for (const move of shortestPath(rows, from, to, code)) {
    await tx.query(moveStatement, [id, move.to, move.code]);
  }
}

/** The last move carries the reason asked for if any way there allows it, else the first that is legal. */
export function shortestPath(
  moves: readonly StatusMove[],
  from: DomainStatus,
  to: DomainStatus,
  code: string,
): StatusMove[] {
  if (from === to) return [];
  const found: StatusMove[][] = [];
  let ways: StatusMove[][] = [[]];
  const passed = new Set<DomainStatus>([from]);
  while (ways.length > 0) {
    const longer: StatusMove[][] = [];
    for (const way of ways) {
      const at = way.at(-1)?.to ?? from;
      for (const move of moves.filter((candidate) => candidate.from === at)) {
        if (move.to === to) found.push([...way, move]);
        else if (!passed.has(move.to)) {
          passed.add(move.to);
          longer.push([...way, move]);
        }
      }
    }
    ways = longer;
  }
  const way = found.find((candidate) => candidate.at(-1)?.code === code) ?? found[0];
  if (way === undefined) throw new Error(`no legal moves lead from ${from} to ${to}`);
  return way;
}
