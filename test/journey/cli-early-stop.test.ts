/** A stop asked for while the program is still waiting for its database. */
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { waitUntil } from '../support/crawl-support.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-early-stop-'));
  await buildProgram();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('is heard, and a second one ends the program at once', async () => {
  // Takes the connection and never says a word, as a server does that is only just starting.
  const mute = net.createServer().listen(0, '127.0.0.1');
  const asked = new Promise<net.Socket>((resolve) => mute.once('connection', resolve));
  await new Promise((resolve) => mute.once('listening', resolve));
  const { port } = mute.address() as net.AddressInfo;
  const databaseUrl = `postgres://a:b@127.0.0.1:${port}/c`;
  const crawl = startProgram(['crawl', 'http://example.com/'], { dataDir: directory, databaseUrl });
  const socket = await asked;
  crawl.child.kill('SIGTERM');
  await waitUntil(() => crawl.stderr().includes('SIGTERM: ending') || undefined);
  expect(crawl.hasEnded()).toBe(false);
  crawl.child.kill('SIGTERM');
  expect(await crawl.ended).toMatchObject({ code: 130, signal: null });
  socket.destroy();
  mute.close();
});
