/** `db` and `doctor` against databases in every condition. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.ts';
import { runForager, widestLine } from '../support/run-cli.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-cli-db-'));
  return () => rm(dataDir, { recursive: true, force: true });
});

const run = (url: string | undefined, ...args: string[]) =>
  runForager([...args, '--data-dir', dataDir], { env: { DATABASE_URL: url ?? '' } });

interface Checks {
  readonly isWell: boolean;
  readonly checks: { name: string; state: string; message: string; fix?: string }[];
}

async function consult(
  url: string | undefined,
  env: Record<string, string> = {},
): Promise<Checks & { code: number }> {
  const doctor = await runForager(['doctor', '--json', '--data-dir', dataDir], {
    env: { DATABASE_URL: url ?? '', ...env },
  });
  return { ...(doctor.json()[0] as unknown as Checks), code: doctor.code };
}

describe('db', () => {
  it('goes forward, says where it is, and goes back', async () => {
    const { url } = await createEmptyDatabase();
    expect(await run(url, 'db', 'status')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not applied'),
    });
    const migrated = await run(url, 'db', 'migrate', '--json');
    expect(migrated.json()[0]?.applied).toContain('0001_foundation');
    expect((await run(url, 'db', 'migrate')).stdout).toBe('The schema is up to date.\n');
    const status = await run(url, 'db', 'status', '--json');
    expect(status).toMatchObject({ code: 0 });
    expect(status.json()).toMatchObject([{ kind: 'external', isUpToDate: true, pending: [], problems: [] }]);
    expect(status.stdout).not.toContain(new URL(url).password);
    expect((await run(url, 'db', 'rollback', '--steps', '99')).stdout).toContain('undone 0001_foundation');
    expect((await run(url, 'db', 'rollback')).stdout).toBe('There is no migration to undo.\n');
  });

  it('does not roll back what would delete pages unless that is asked for', async () => {
    const { url, execute } = await createEmptyDatabase();
    await run(url, 'db', 'migrate');
    await execute(`insert into pages (domain_id, url_hash, url, depth, http_status, content_length,
                                      transfer_length, crawl_duration_ms)
                   values (1, '\\x01', 'http://a.test/', 0, 200, 1, 1, 1)`);
    expect(await run(url, 'db', 'rollback')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--drop-data'),
    });
    const undone = await run(url, 'db', 'rollback', '--steps', '7', '--drop-data');
    expect(undone.stdout).toContain('undone 0001_foundation');
  });

  it('looks at a data directory without making anything in it', async () => {
    const place = path.join(dataDir, 'new');
    const status = await runForager(['db', 'status', '--json', '--data-dir', place], {
      env: { DATABASE_URL: '' },
    });
    expect(status.json()).toMatchObject([{ kind: 'embedded', isUpToDate: false, version: null }]);
    const stopped = await runForager(['db', 'stop', '--data-dir', place], { env: { DATABASE_URL: '' } });
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('No embedded database runs') });
  });

  it('does not stop a server that is not its own', async () => {
    const { url } = await createTestDatabase();
    expect(await run(url, 'db', 'stop')).toMatchObject({ code: 1, stdout: '' });
  });

  it('gives one sentence when the database cannot be reached', async () => {
    const lost = await run('postgres://nobody@127.0.0.1:9/x', 'domain', 'status');
    expect(lost).toMatchObject({ code: 1, stdout: '' });
    expect(lost.stderr).toMatch(
      /^forager: The database of DATABASE_URL cannot be reached .*\n {2}fix: .*\n$/,
    );
  });
});

describe('doctor', () => {
  it('finds nothing wrong with a good installation', async () => {
    const { url } = await createTestDatabase();
    const report = await consult(url, { FORAGER_SECRET_KEY: 'ab'.repeat(32) });
    expect(report.checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(report).toMatchObject({ isWell: true, code: 0 });
    expect((await run(url, 'doctor')).stdout).toContain('FORAGER_DATA_DIR');
  });

  it('counts warnings, and does not call that well', async () => {
    const { url, execute } = await createTestDatabase();
    const good = await runForager(['doctor', '--data-dir', dataDir], {
      env: { DATABASE_URL: url, FORAGER_SECRET_KEY: 'ab'.repeat(32) },
    });
    expect(good.stdout).toMatch(/\nEverything is well\.\n$/);
    const env = { DATABASE_URL: url, FORAGER_SECRET_KEY: 'ab'.repeat(32), FORAGER_DEFAULT_DELAY_MS: '5' };
    const one = await runForager(['doctor', '--data-dir', dataDir], { env });
    expect(one.stdout).toMatch(/\n1 warning; nothing is broken\.\n$/);
    expect(one.stdout).not.toContain('Everything is well');
    expect(one.stdout).toContain('FORAGER_DEFAULT_DELAY_MS is no setting; did you mean FORAGER_DELAY_MS?');
    expect(one.code).toBe(0);
    await execute('drop index domains_claimable');
    const two = await runForager(['doctor', '--data-dir', dataDir], { env });
    expect(two.stdout).toMatch(/\n2 warnings; nothing is broken\.\n$/);
    const shown = await runForager(['doctor', '--data-dir', dataDir], { env, columns: 80 });
    expect(widestLine(shown.stdout)).toBeLessThanOrEqual(80);
    expect(shown.stdout).toMatch(/\n2 warnings; nothing is broken\.\n$/);
  });

  it('is content with a data directory that does not exist yet', async () => {
    await rm(dataDir, { recursive: true });
    expect(await consult(undefined)).toMatchObject({ isWell: true, code: 0 });
  });

  it('notices a schema that was changed by hand', async () => {
    const { url, execute } = await createTestDatabase();
    await execute('drop index domains_claimable');
    const drift = (await consult(url)).checks.find(({ name }) => name === 'schema drift');
    expect(drift).toMatchObject({ state: 'warning', message: expect.stringContaining('domains_claimable') });
  });

  it('notices bodies that are gone', async () => {
    const { url, execute } = await createTestDatabase();
    await execute("insert into warc_segments (name) values ('forager-20260101T000000Z-abc-00000.warc.gz')");
    const report = await consult(url);
    expect(report).toMatchObject({ isWell: false, code: 1 });
    expect(report.checks.find(({ name }) => name === 'page bodies')).toMatchObject({
      state: 'wrong',
      fix: expect.any(String),
    });
  });

  it('notices files left open by a crawl that was killed', async () => {
    const { url } = await createTestDatabase();
    await mkdir(path.join(dataDir, 'warc'));
    const owner = `${os.hostname()}:999999999:-:abc`;
    const marker = `000000000000000\n${JSON.stringify({ writerId: 'abc', owner })}\n`;
    await writeFile(path.join(dataDir, 'warc', 'forager-20260101T000000Z-abc-00000.warc.gz.open'), marker);
    const report = await consult(url);
    expect(report.checks.find(({ name }) => name === 'open bodies')).toMatchObject({ state: 'warning' });
    expect(report.code).toBe(0);
  });

  it('names every bad setting with its meaning', async () => {
    const report = await consult(undefined, { FORAGER_DELAY_MS: 'soon', FORAGER_MAX_DEPTH: '-1' });
    expect(report).toMatchObject({ isWell: false, code: 1 });
    const messages = report.checks.filter(({ state }) => state === 'wrong').map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('FORAGER_DELAY_MS is "soon"'),
      expect.stringContaining('FORAGER_MAX_DEPTH is "-1"'),
    ]);
  });

  it('says what to do about a database it cannot reach and a directory of a newer version', async () => {
    const lost = await consult('postgres://nobody@127.0.0.1:9/x');
    expect(lost.checks.find(({ name }) => name === 'database')).toMatchObject({
      state: 'wrong',
      fix: expect.any(String),
    });
    await writeFile(path.join(dataDir, 'version.json'), '{"layout": 999}');
    const newer = await consult(undefined);
    expect(newer.checks.find(({ name }) => name === 'data version')).toMatchObject({
      state: 'wrong',
      message: expect.stringContaining('newer Forager'),
    });
    expect(newer.code).toBe(1);
  });
});
