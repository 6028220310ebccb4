/**
 * A password that somebody types where nobody sees it, or that a program hands over on standard input. Never as an
 * argument: those are in the history of the shell and in the list of processes.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT_INTERRUPTED, QuietExit, UsageError } from './exit.ts';

export interface PasswordOptions {
  readonly passwordStdin?: true;
  readonly generate?: true;
}

/** Longer than any password may be. */
const MOST_BYTES = 10_000;

/** Undefined: one is to be generated. */
export async function readPassword(options: PasswordOptions): Promise<string | undefined> {
  if (options.passwordStdin && options.generate) {
    throw new UsageError('--password-stdin and --generate exclude each other.');
  }
  if (options.passwordStdin) return readFromInput();
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return options.generate || !isTerminal ? undefined : askTwice();
}

/** All of it but the end of the line. */
async function readFromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new UsageError('What came on standard input is too long for a password.');
  }
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('There is no password on standard input.');
  if (/[\r\n]/.test(password)) throw new UsageError('The password on standard input has more than one line.');
  return password;
}

/** Undefined: nothing was typed. */
async function askTwice(): Promise<string | undefined> {
  return askUnseen(async (ask) => {
    const password = await ask('Password (Enter alone generates one): ');
    if (password === '') return undefined;
    if ((await ask('The same again: ')) === password) return password;
    throw new UsageError('The two passwords are not the same.');
  });
}

/**
 * A password that somebody else has chosen: on standard input, or typed once. Undefined: there is no terminal to ask at,
 * or nothing was typed.
 */
export async function readKnownPassword(isOnInput: boolean, question: string): Promise<string | undefined> {
  if (isOnInput) return readFromInput();
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal ? askUnseen(async (ask) => (await ask(question)) || undefined) : undefined;
}

async function askUnseen<T>(use: (ask: (question: string) => Promise<string>) => Promise<T>): Promise<T> {
  // What is typed is written nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.on('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(question);
    const { value, done } = await typed.next();
    process.stderr.write('\n');
    if (done) throw new QuietExit(EXIT_INTERRUPTED);
    return value;
  };
  try {
    return await use(ask);
  } finally {
    lines.close();
  }
}
