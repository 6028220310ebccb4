import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configTable, loadConfig } from '../../src/platform/config.ts';
import { createSecretBox, openSecretBox } from '../../src/platform/secret-box.ts';
import { parseSecretKey } from '../../src/platform/secret-key.ts';

const key = Buffer.alloc(32, 1);
const box = createSecretBox(key, 'the test');

describe('what is sealed', () => {
  test('comes out again, and no two are alike', () => {
    for (const secret of ['', 'x', 'whsec_ü€😀', 'long '.repeat(10_000)]) {
      expect(box.open(box.seal(secret, 'webhook'), 'webhook')).toBe(secret);
    }
    expect(box.seal('same', 'webhook')).not.toEqual(box.seal('same', 'webhook'));
    expect(box.seal('hunter2', 'webhook').includes('hunter2')).toBe(false);
  });

  test('is bound to what it is for', () => {
    expect(() => box.open(box.seal('secret', 'webhook'), 'proxy')).toThrow(
      expect.objectContaining({ code: 'bad-secret-key' }),
    );
  });

  test('cannot be changed in any byte without being noticed', () => {
    const sealed = box.seal('secret', 'webhook');
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, 'webhook'), `byte ${index}`).toThrow(
        expect.objectContaining({ code: 'bad-secret-key' }),
      );
    }
    for (const end of [0, 1, 5, 17, 32, sealed.length - 1]) {
      expect(() => box.open(sealed.subarray(0, end), 'webhook')).toThrow();
    }
  });

  test('with another key is one sentence that says where the key was found and what to do', () => {
    const other = createSecretBox(Buffer.alloc(32, 2), 'FORAGER_SECRET_KEY');
    expect(() => other.open(box.seal('secret', 'webhook'), 'webhook')).toThrow(
      expect.objectContaining({
        code: 'bad-secret-key',
        message: 'A secret in the database was encrypted with another key than that of FORAGER_SECRET_KEY.',
        hint: expect.stringContaining('secret.key'),
      }),
    );
  });
});

describe('the key of the settings', () => {
  const bytes = randomBytes(32);

  test.each(['hex', 'base64', 'base64url'] as const)('is read as %s', (encoding) => {
    expect(parseSecretKey(` ${bytes.toString(encoding)}\n`)).toEqual(bytes);
  });

  test.each([
    '',
    'short',
    'f'.repeat(63),
    'f'.repeat(66),
    randomBytes(31).toString('base64'),
    'ä'.repeat(43),
  ])('%j is none, and is not repeated', (text) => {
    expect(parseSecretKey(text)).toBeUndefined();
    if (text.trim() === '') return;
    expect(() => loadConfig({}, { FORAGER_SECRET_KEY: text })).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.not.stringContaining(text) }),
    );
  });

  test('is in no table', () => {
    const text = bytes.toString('base64');
    expect(loadConfig({}, { FORAGER_SECRET_KEY: text }).secretKey).toBe(text);
    for (const shown of [text, `${text}x`]) {
      const table = JSON.stringify(configTable({}, { FORAGER_SECRET_KEY: shown }));
      expect(table).not.toContain(text);
    }
  });
});

describe('the key of the data directory', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-secret-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  const open = (directory = dataDir, hasSecrets = false) =>
    openSecretBox({ secretKey: undefined, dataDir: directory }, async () => hasSecrets);

  test('is made once, also when many come at once, and is for this user alone', async () => {
    const place = path.join(dataDir, 'not', 'there', 'yet');
    const boxes = await Promise.all(Array.from({ length: 20 }, () => open(place)));
    const sealed = boxes[0]?.seal('secret', 'webhook') ?? Buffer.of();
    for (const one of boxes) expect(one.open(sealed, 'webhook')).toBe('secret');
    expect((await open(place)).open(sealed, 'webhook')).toBe('secret');
    expect(await readdir(place)).toEqual(['secret.key']);
    expect((await stat(path.join(place, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect(parseSecretKey(await readFile(path.join(place, 'secret.key'), 'utf8'))).toHaveLength(32);
  });

  test('gives way to the one of the settings', async () => {
    const given = await openSecretBox({ secretKey: key.toString('hex'), dataDir }, async () => true);
    expect(given.open(box.seal('secret', 'webhook'), 'webhook')).toBe('secret');
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('that is missing is not replaced where secrets need it: two would be in use for ever', async () => {
    await expect(open(dataDir, true)).rejects.toMatchObject({
      code: 'bad-secret-key',
      message: expect.stringContaining(`${path.join(dataDir, 'secret.key')} is missing`),
    });
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('that is damaged is not replaced: a sentence says so', async () => {
    await writeFile(path.join(dataDir, 'secret.key'), 'garbage');
    await expect(open()).rejects.toMatchObject({
      code: 'bad-secret-key',
      message: expect.stringContaining(path.join(dataDir, 'secret.key')),
      hint: expect.stringContaining('backup'),
    });
    expect(await readFile(path.join(dataDir, 'secret.key'), 'utf8')).toBe('garbage');
  });

  test('that cannot be kept is a sentence too', async () => {
    await writeFile(path.join(dataDir, 'file'), '');
    await chmod(path.join(dataDir, 'file'), 0o600);
    await expect(open(path.join(dataDir, 'file', 'inside'))).rejects.toMatchObject({
      code: 'bad-secret-key',
      hint: expect.stringContaining('FORAGER_SECRET_KEY'),
    });
  });
});
