/** `forager doctor`: settings, data directory, database, page bodies: what is wrong and how to fix it. */
import type { Command } from 'commander';

const EXAMPLES = `
Examples:
  forager doctor
  forager doctor --json | jq '.checks[] | select(.state != "ok")'

✓ is fine, ! is worth knowing, ✗ is wrong: then the exit code is 1. Nothing is changed.`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, data directory, database and page bodies, and say how to fix what is wrong')
    .addHelpText('after', EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./run-doctor.ts')).runDoctor(command);
    });
}
