/** What a person is told when the server listens: where it is, how to come in, how to stop it. */
import type { CommandContext } from './context.ts';
import type { RunningServer } from './serve.ts';

export interface Announcement {
  /** What runs, such as "API and worker". */
  readonly what: string;
  readonly server: RunningServer;
  /** More lines: a name and what stands beside it. */
  readonly more?: readonly (readonly [string, string])[];
}

/** The password goes to standard output, once, and nowhere else. */
export function announce(context: CommandContext, { what, server, more = [] }: Announcement): void {
  const { url, firstAdmin } = server;
  if (context.isJson) {
    context.printJson({ event: 'listening', url, ...(firstAdmin === undefined ? {} : { firstAdmin }) });
    return;
  }
  const { style } = context.out;
  const rows: (readonly [string, string])[] = [
    ['Address', style.cyan(url)],
    ['Docs', style.cyan(`${url}/api/docs`)],
    ...more,
    [
      'Data',
      context.config.databaseUrl === undefined ? context.config.dataDir : 'the database of DATABASE_URL',
    ],
    ['Stop', 'Ctrl-C; nothing is lost'],
  ];
  context.printLine();
  context.printLine(`  ${style.bold(`Forager is up: ${what}`)}`);
  for (const [name, value] of rows) context.printLine(`    ${style.dim(name.padEnd(9))}${value}`);
  context.printLine();
  if (firstAdmin === undefined) return;
  context.printLine(`  ${style.bold('First administrator')} (shown this once)`);
  context.printLine(`    ${style.dim('User     ')}${firstAdmin.username}`);
  context.printLine(`    ${style.dim('Password ')}${style.bold(firstAdmin.password)}`);
  context.printLine(
    `    It works for ${firstAdmin.hours} hours. Log in and choose your own: POST ${url}/api/auth/password,`,
  );
  context.printLine(`    or ${context.suggest(`user passwd ${firstAdmin.username}`)}`);
  context.printLine();
}
