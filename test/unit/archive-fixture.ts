/** What the archive's tests share: exchanges to store, and an independent reader to judge the result. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { WARCParser } from 'warcio';
import type { Exchange } from '../../src/engine/store/body-store.ts';

export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'forager-archive-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export function makeExchange(changes: Partial<Exchange> = {}): Exchange {
  const rawBody = changes.rawBody ?? Buffer.from('<!doctype html><title>A page</title>');
  return {
    url: 'https://example.com/page?a=1&b=2',
    fetchedAt: new Date('2026-11-15T07:43:18.123Z'),
    status: 200,
    headers: ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(rawBody.length)],
    remoteAddress: '93.184.216.34',
    ...changes,
    rawBody,
  };
}

export interface SeenRecord {
  readonly type: string | null;
  readonly url: string | null;
  readonly offset: number;
  readonly warc: (name: string) => string | null;
  readonly http: (name: string) => string | null;
  readonly status: number | string | undefined;
  readonly payload: Buffer;
}

/** Reads a segment the way npm's warcio does, and fails if it has anything to complain about. */
export async function readWithWarcio(path: string): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  const complaints: unknown[] = [];
  const warn = console.warn;
  console.warn = (...words: unknown[]) => complaints.push(words);
  try {
    const parser = new WARCParser(createReadStream(path), { keepHeadersCase: true });
    for await (const record of parser) {
      const payload = Buffer.from(await record.readFully(false));
      const offset = parser.offset;
      seen.push({
        type: record.warcType ?? null,
        url: record.warcTargetURI ?? null,
        offset,
        warc: (name) => record.warcHeader(name) ?? null,
        http: (name) => record.httpHeaders?.headers.get(name) ?? null,
        status: record.httpHeaders?.statusCode,
        payload,
      });
    }
  } finally {
    console.warn = warn;
  }
  expect(complaints).toEqual([]);
  return seen;
}

/** Every response's payload digest, computed anew, is the one the record states. */
export function expectDigestsHold(records: readonly SeenRecord[]): void {
  for (const record of records) {
    if (record.type !== 'response') continue;
    const digest = createHash('sha256').update(record.payload).digest('hex');
    expect(record.warc('WARC-Payload-Digest')).toBe(`sha256:${digest}`);
  }
}

export async function listSegments(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith('.warc.gz')).sort();
}
