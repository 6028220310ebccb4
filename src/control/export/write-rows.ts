/** Streams rows into a target: constant memory, whatever their number. */
import { type ExportTarget, openTarget } from './export-target.ts';
import { type ExportFormat, makeRowFormat } from './row-format.ts';

export interface WriteRequest {
  readonly format: ExportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
  readonly onProgress?: ((rows: number) => void) | undefined;
  /** Ends the export early, as a failure. */
  readonly signal?: AbortSignal | undefined;
}

export async function writeRows(
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  fields: readonly string[],
  request: WriteRequest,
): Promise<number> {
  const target = await openTarget(request.file);
  try {
    const count = await copyRows(rows, fields, request, target);
    await target.finish();
    return count;
  } catch (error) {
    await target.discard();
    throw error;
  }
}

async function copyRows(
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  fields: readonly string[],
  request: WriteRequest,
  target: ExportTarget,
): Promise<number> {
  const { head, format } = makeRowFormat(request.format, fields);
  if (head !== '') await target.write(head);
  let count = 0;
  for await (const row of rows) {
    request.signal?.throwIfAborted();
    if (target.isClosed) break;
    await target.write(format(row));
    count += 1;
    request.onProgress?.(count);
  }
  return count;
}
