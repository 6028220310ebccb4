/** What `forager image …` does. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { cleanImages } from '../control/images/clean-images.ts';
import type { ImageRow } from '../control/images/image-row.ts';
import { imagesDirectory } from '../control/images/images-directory.ts';
import { listImages as list, listDomainImages, listRefused } from '../control/images/list-images.ts';
import { findImage, openImage, showImage } from '../control/images/show-image.ts';
import { localBlobStore } from '../engine/images/blob-store.ts';
import { ForagerError } from '../platform/errors.ts';
import { writeOutput } from '../platform/standard-output.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printFields, printHeading } from './field-list.ts';
import { type FitColumn, fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatBytes, formatCount, printable } from './format.ts';
import { formatInstant } from './moments.ts';
import { printBelow } from './print-below.ts';

interface ListOptions {
  readonly domain?: string;
  readonly product?: number;
  readonly type?: string;
  readonly minWidth?: number;
  readonly refused?: true;
  readonly below?: number;
  readonly limit: number;
}

export async function listImages(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ListOptions>();
  if (options.refused === true) return listNotKept(context, options);
  const { domain, product, type, minWidth, below, limit } = options;
  if (domain !== undefined && product !== undefined) {
    throw new UsageError('Give --domain or --product, not both: a product has a domain.');
  }
  if (domain !== undefined && below !== undefined) {
    throw new UsageError('--below goes without --domain: the images of a domain come in another order.');
  }
  const filter = { contentType: type === undefined ? undefined : `image/${type}`, minWidth };
  const found: readonly ImageRow[] = await withDatabase(context.config, (db) =>
    domain === undefined
      ? list(db, { ...filter, product }, below, limit + 1)
      : listDomainImages(db, domain, filter, undefined, limit + 1),
  );
  const shown = found.slice(0, limit);
  if (context.isJson) for (const image of shown) context.printJson(image);
  else if (shown.length === 0) context.printLine('No images.');
  else printImages(context, shown);
  const last = shown.at(-1);
  if (found.length <= limit || last === undefined) return;
  context.err.write(
    domain === undefined
      ? `There are more: --below ${last.id} shows the next.\n`
      : `The first ${formatCount(limit)}; --limit shows more.\n`,
  );
}

const COLUMNS: readonly FitColumn[] = [
  { title: 'ID', align: 'right' },
  { title: 'TYPE', drop: 2 },
  { title: 'PIXELS', align: 'right' },
  { title: 'SIZE', align: 'right', drop: 1 },
  { title: 'URL', least: SHORTEST_URL },
];

function printImages(context: CommandContext, images: readonly ImageRow[]): void {
  const rows = images.map((image) => [
    String(image.id),
    image.contentType.slice('image/'.length),
    `${image.width} × ${image.height}`,
    formatBytes(image.byteCount),
    printable(image.url ?? '-'),
  ]);
  for (const line of fitTable(context.out, COLUMNS, rows)) context.printLine(line);
}

async function listNotKept(context: CommandContext, { domain, limit }: ListOptions): Promise<void> {
  const rows = await withDatabase(context.config, (db) => listRefused(db, { domain }, undefined, limit));
  if (context.isJson) {
    for (const { cursorMoment: _moment, domainId: _id, urlHash: _hash, ...row } of rows)
      context.printJson(row);
    return;
  }
  if (rows.length === 0) {
    context.printLine('Nothing was refused.');
    return;
  }
  const columns = [{ title: 'WHY' }, { title: 'URL', least: SHORTEST_URL }];
  const cells = rows.map((row) => [row.code, printable(row.url)]);
  const [head = '', ...lines] = fitTable(context.out, columns, cells);
  context.printLine(head);
  for (const [index, line] of lines.entries()) {
    context.printLine(line);
    printBelow(context, rows[index]?.reason ?? '');
  }
}

export async function showOne(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const blobs = localBlobStore(imagesDirectory(context.config));
  const image = await withDatabase(context.config, (db) => showImage(db, blobs, id));
  if (context.isJson) {
    context.printJson(image);
    return;
  }
  printFields(context, [
    ['id', image.id],
    ['type', image.contentType],
    ['pixels', `${image.width} × ${image.height}`],
    ['size', formatBytes(image.byteCount)],
    ['content hash', image.contentHash],
    ['first seen', formatInstant(image.firstSeenAt)],
    ['last seen', formatInstant(image.lastSeenAt)],
    ['bytes', image.isHere ? 'here' : 'not on this machine'],
  ]);
  printHeading(context, 'Where it lies');
  for (const { url } of image.urls) context.printLine(`  ${printable(url)}`);
  printHeading(context, 'Where it was seen');
  for (const place of image.places) {
    const product = place.productId === null ? '' : `, product ${place.productId}`;
    const alt = place.alt === null ? '' : `: ${printable(place.alt)}`;
    const page = printable(place.pageUrl ?? place.pageDomain);
    context.printLine(`  ${page}  (${place.kind} ${place.position}${product}${alt})`);
  }
}

export async function saveOne(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const { output, thumbnail } = command.optsWithGlobals<{ output?: string; thumbnail?: true }>();
  const blobs = localBlobStore(imagesDirectory(context.config));
  const { blob, contentType } = await withDatabase(context.config, async (db) =>
    openImage(blobs, await findImage(db, id), thumbnail === true ? 'thumbnail' : 'original'),
  );
  if (output === undefined) {
    for await (const chunk of blob.stream) await writeOutput(chunk as Buffer);
    return;
  }
  try {
    await pipeline(blob.stream, createWriteStream(output));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ForagerError('cannot-write', `The image cannot be written to ${output}: ${why}.`);
  }
  if (context.isJson) context.printJson({ id, file: output, contentType, byteCount: blob.byteCount });
  else context.printLine(`Wrote ${formatBytes(blob.byteCount)} (${contentType}) to ${output}.`);
}

export async function cleanUp(command: Command): Promise<void> {
  const context = makeContext(command);
  const { graceHours } = command.optsWithGlobals<{ graceHours: number }>();
  const blobs = localBlobStore(imagesDirectory(context.config));
  const { err } = context;
  const isShown = err.isInteractive && !context.isJson;
  const cleaned = await withDatabase(context.config, (db) =>
    cleanImages(db, blobs, {
      graceHours,
      onProgress: ({ images, files }) => {
        if (isShown) err.write(`\r  ${formatCount(images)} images, ${formatCount(files)} files removed `);
      },
    }),
  );
  if (isShown) err.write('\n');
  if (context.isJson) context.printJson(cleaned);
  else {
    const { images, files } = cleaned;
    context.printLine(
      `Removed ${formatCount(images)} images, and ${formatCount(files)} contents without one.`,
    );
  }
}
