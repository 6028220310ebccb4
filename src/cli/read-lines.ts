/** Arguments one by one; a lone "-" stands for the lines of standard input, read as they come. */
import { createInterface } from 'node:readline';

export async function* readArguments(args: readonly string[]): AsyncGenerator<string> {
  for (const arg of args) {
    if (arg === '-') yield* readStandardInput();
    else yield arg;
  }
}

async function* readStandardInput(): AsyncGenerator<string> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let isFirst = true;
  for await (const line of lines) {
    const text = isFirst ? line.replace(/^\ufeff/, '') : line;
    isFirst = false;
    if (text.trim() !== '') yield text;
  }
}

/** Standard input to its end, as bytes. */
export async function readAllInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
