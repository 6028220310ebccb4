/** Goes through the rules: what is wrong is raised once, and resolved when it is over. All of it is in the database. */
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { AlertGround, AlertRule, Finding } from './rule.ts';
import { ALERT_RULES } from './rules.ts';

const raiseAlerts = loadSql(import.meta.url, './raise-alerts.sql');
const resolveAlerts = loadSql(import.meta.url, './resolve-alerts.sql');

interface Verdict {
  readonly rule: AlertRule;
  readonly findings: readonly Finding[];
}

/** A rule that cannot be evaluated leaves its alerts as they are; the first failure is thrown when all are done. */
export async function evaluateAlerts(
  ground: AlertGround,
  rules: readonly AlertRule[] = ALERT_RULES,
): Promise<void> {
  const verdicts: Verdict[] = [];
  const failures: unknown[] = [];
  for (const rule of rules) {
    try {
      const findings = await rule.find(ground);
      if (findings !== undefined) verdicts.push({ rule, findings });
    } catch (error) {
      failures.push(error);
    }
  }
  await writeVerdicts(ground, verdicts);
  if (failures.length > 0) throw failures[0];
}

async function writeVerdicts({ db }: AlertGround, verdicts: readonly Verdict[]): Promise<void> {
  const found = verdicts.flatMap(({ rule, findings }) =>
    findings.map((finding) => ({ ...rule, ...finding })),
  );
  const column = (pick: (one: (typeof found)[number]) => string): string => textArray(found.map(pick));
  const codes = column(({ code }) => code);
  const subjects = column(({ subject }) => subject);
  await inTransaction(db, async (tx) => {
    const evaluated = textArray(verdicts.map(({ rule }) => rule.code));
    await tx.query(resolveAlerts, [evaluated, codes, subjects]);
    if (found.length === 0) return;
    await tx.query(raiseAlerts, [
      ...[codes, subjects, column(({ severity }) => severity)],
      ...[column(({ message }) => message), column(({ hint }) => hint)],
    ]);
  });
}
