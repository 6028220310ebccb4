/** `domain reprioritize`. */
import type { Command } from 'commander';
import { findDomainIds } from '../control/domains/find-domain.ts';
import { reprioritize } from '../engine/schedule/reprioritize.ts';
import { makeContext, withDatabase } from './context.ts';
import { formatCount } from './format.ts';

export async function reprioritizeAndTell(names: readonly string[], command: Command): Promise<void> {
  const context = makeContext(command);
  const changed = await withDatabase(context.config, async (db) =>
    reprioritize(db, names.length === 0 ? undefined : await findDomainIds(db, names)),
  );
  if (context.isJson) {
    context.printJson({ changed });
    return;
  }
  if (changed === 0) context.printLine('Every score is up to date.');
  else
    context.printLine(
      `The scores of ${formatCount(changed)} ${changed === 1 ? 'domain' : 'domains'} changed.`,
    );
}
