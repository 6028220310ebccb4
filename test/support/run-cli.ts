/** Runs a command of the program inside the test's own process, with what it reads and writes in hand. */
import { Readable } from 'node:stream';
import { runCli } from '../../src/cli/program.ts';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, a JSON value a line. */
  json(): Record<string, unknown>[];
}

export interface CliSurroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Standard output is a terminal of so many columns, without colours. */
  readonly columns?: number;
}

export async function runForager(
  args: readonly string[],
  { env = {}, input, columns }: CliSurroundings = {},
): Promise<CliRun> {
  const before = { env: process.env, stdin: Object.getOwnPropertyDescriptor(process, 'stdin') };
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const { write: writeOut } = process.stdout;
  const { write: writeErr } = process.stderr;
  process.env = { ...process.env, ...env };
  const undoTerminal = columns === undefined ? undefined : pretendTerminal(columns);
  process.stdout.write = collectInto(stdout);
  process.stderr.write = collectInto(stderr);
  if (input !== undefined) {
    Object.defineProperty(process, 'stdin', {
      configurable: true,
      value: Readable.from([Buffer.from(input)]),
    });
  }
  try {
    const code = await runCli(args);
    return finish(code, Buffer.concat(stdout).toString('utf8'), Buffer.concat(stderr).toString('utf8'));
  } finally {
    process.env = before.env;
    undoTerminal?.();
    process.stdout.write = writeOut;
    process.stderr.write = writeErr;
    if (before.stdin !== undefined) Object.defineProperty(process, 'stdin', before.stdin);
  }
}

function pretendTerminal(columns: number): () => void {
  process.env.NO_COLOR = '1';
  const pretended = { isTTY: true, columns };
  const before = Object.keys(pretended).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process.stdout, name)] as const,
  );
  for (const [name, value] of Object.entries(pretended)) {
    Object.defineProperty(process.stdout, name, { value, configurable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(process.stdout, name);
      else Object.defineProperty(process.stdout, name, descriptor);
    }
  };
}

/** How wide the widest line is. */
export function widestLine(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length));
}

function collectInto(chunks: Buffer[]): typeof process.stdout.write {
  return (chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk));
    return true;
  };
}

function finish(code: number, stdout: string, stderr: string): CliRun {
  return {
    ...{ code, stdout, stderr },
    json: () =>
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
