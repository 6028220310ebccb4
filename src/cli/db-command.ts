/** `forager db …`: the database's schema, forward and back, and its domains put in order. */
import type { Command } from 'commander';
import { positiveInteger } from './option-values.ts';

const MIGRATE_EXAMPLES = `
Examples:
  forager db migrate
  DATABASE_URL=postgres://forager@db.example.com/forager forager db migrate

Every command that uses the database brings its schema up to date by itself; this does only that.`;

const ROLLBACK_EXAMPLES = `
Examples:
  forager db rollback
  forager db rollback --steps 2

Undoing a migration drops what it added; undoing the first drops all that was crawled. While there are
pages this is refused unless --drop-data is given. Make a backup first.`;

const BACKFILL_EXAMPLES = `
Examples:
  forager db backfill --dry-run
  forager db backfill
  forager db backfill --json

Domains that are spellings of one another (www.example.com, EXAMPLE.com:443) are merged under the canonical name,
domains that are missing are rebuilt from the log and from the URLs and pages that are left of them, and counters
are counted anew. Then the result is checked: exit code 1 if a check fails. It works in small portions beside
running workers, may be stopped at any time and run again; domains a worker has are passed over and told.`;

export function addDbCommand(program: Command): void {
  const db = program.command('db').description('the database and its schema');
  db.command('migrate')
    .description('bring the schema up to date')
    .addHelpText('after', MIGRATE_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-db.ts')).migrate(command);
    });
  db.command('status')
    .description('show the database and which migrations it has; exit code 1 if any is missing')
    .addHelpText('after', '\nExamples:\n  forager db status\n  forager db status --json')
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-db.ts')).showSchemaStatus(command);
    });
  db.command('rollback')
    .description('undo the last migration')
    .option('--steps <n>', 'how many to undo', positiveInteger, 1)
    .option('--drop-data', 'also when that deletes pages that were crawled')
    .addHelpText('after', ROLLBACK_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-db.ts')).rollBack(command);
    });
  db.command('backfill')
    .description('rebuild domains and their counters from the log, the URLs and the pages')
    .option('--dry-run', 'say what would be done, and do nothing')
    .addHelpText('after', BACKFILL_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./backfill-run.ts')).runBackfill(command);
    });
  db.command('stop')
    .description(
      'stop the embedded database if nobody uses it (it stays behind when all its users were killed)',
    )
    .addHelpText('after', '\nExamples:\n  forager db stop\n  forager --data-dir ./data db stop')
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-db.ts')).stop(command);
    });
}
