/** The bytes of a list, unpacked if they are gzip's, whatever the file is called. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

export async function* unpack(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    let head = Buffer.alloc(0);
    // A pipe may hand over its first byte alone.
    while (head.length < GZIP_MAGIC.length) {
      const next = await source.next();
      if (next.done === true) break;
      head = Buffer.concat([head, next.value]);
    }
    const all = prepend(head, source);
    if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) yield* gunzip(all);
    else yield* all;
  } finally {
    await source.return?.();
  }
}

async function* prepend(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(packed, { objectMode: false });
  const output = createGunzip();
  input.on('error', (error) => output.destroy(error));
  try {
    for await (const chunk of input.pipe(output)) yield chunk as Buffer;
  } finally {
    input.destroy();
    output.destroy();
  }
}
