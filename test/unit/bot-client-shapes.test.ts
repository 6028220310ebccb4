/**
 * The shapes of the client are those of the contract. Types are gone when tests run, so the compiler is asked: it must
 * accept the comparison, and refuse it when a shape is another.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/crawl-support.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

const COMPARISON = `
import type { z } from 'zod';
import type { BotJob, Extended, JobLock, JobResult, Pulled, Submitted } from './src/bot/index.ts';
import type { botJob, extendLock, pullJobs, submitResult } from './src/contract/bots.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Body<E extends { body?: z.ZodType }> = z.input<NonNullable<E['body']>>;
type Data<E extends { answer?: z.ZodType }> = z.output<NonNullable<E['answer']>> extends { data: infer D } ? D : never;
type Required_<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };
function hold<T extends true>(): T | undefined { return undefined; }

hold<Same<Required_<BotJob>, Required_<z.output<typeof botJob>>>>();
hold<Same<keyof Pulled, keyof Data<typeof pullJobs>>>();
hold<Same<Pulled['retry_after_seconds'], Data<typeof pullJobs>['retry_after_seconds']>>();
hold<Same<Required_<Submitted>, Required_<Data<typeof submitResult>>>>();
hold<Same<Required_<Extended>, Required_<Data<typeof extendLock>>>>();
// What is let pass besides (numbers as text) is for others: the client sends what is understood from it.
type Read<E extends { body?: z.ZodType }> = z.output<NonNullable<E['body']>>;
type Handed = Omit<Read<typeof submitResult>, 'bot_id' | 'job_id' | 'lock_token' | 'success' | 'error_msg'>;
hold<Same<Required_<JobResult>, Required_<Handed>>>();
hold<Same<keyof Body<typeof pullJobs>, 'bot_id' | 'max_jobs' | 'domain' | 'wait_seconds'>>();
hold<Same<keyof Body<typeof extendLock>, 'bot_id' | 'extend_seconds' | keyof JobLock>>();
`;

async function compare(change: (shapes: string) => string): Promise<string> {
  const directory = await temporaryDirectory('forager-shapes-');
  await mkdir(path.join(directory, 'src', 'platform'), { recursive: true });
  for (const name of ['src/bot', 'src/contract', 'src/platform/clock.ts']) {
    await cp(path.join(root, name), path.join(directory, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
  await writeFile(path.join(directory, 'package.json'), '{"type":"module"}');
  const shapes = path.join(directory, 'src/bot/shapes.ts');
  await writeFile(shapes, change(await readFile(shapes, 'utf8')));
  await writeFile(path.join(directory, 'comparison.ts'), COMPARISON);
  const options = { extends: path.join(root, 'tsconfig.json'), files: ['comparison.ts'], include: [] };
  await writeFile(
    path.join(directory, 'tsconfig.json'),
    JSON.stringify({ ...options, compilerOptions: { rootDir: '.', noEmit: true } }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', directory], (_error, stdout) => resolve(stdout));
  });
}

test('the compiler finds the same fields with the same types in both', async () => {
  expect(await compare((shapes) => shapes)).toBe('');
});

test.each([
  ['a field that is missing', '  currency?: string | null | undefined;\n  title', '  title'],
  ['a field of another type', 'priority: number;', 'priority: string;'],
  ['a state that is not known', "'done' | 'pending' | 'failed'", "'done' | 'failed'"],
])('it would notice %s', async (_name, from, to) => {
  const changed = (shapes: string): string => {
    expect(shapes).toContain(from);
    return shapes.replace(from, to);
  };
  expect(await compare(changed)).toContain('comparison.ts');
});
