import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hintOverHttp } from '../../src/api/http-hints.ts';

test('where there is a request for it, a hint names that and not the command', () => {
  expect(hintOverHttp('did you mean a.example? "forager domain status" lists all domains')).toBe(
    'did you mean a.example? GET /api/domains lists all domains',
  );
  expect(hintOverHttp('"forager doctor" there checks them')).toBe('"forager doctor" there checks them');
});

/** For which there is no request: they are about a machine, its files or its processes. */
const FOR_THE_MACHINE = [
  'doctor',
  'worker',
  'scheduler',
  'up',
  'db migrate',
  'page show',
  'explain',
  'inspect',
  'parser compare',
  'search status',
  'search reindex',
  'search forget',
  'user passwd',
  'user unlock',
];

test('no hint of control names a command whose like there is over HTTP', () => {
  const root = fileURLToPath(new URL('../../src/control/', import.meta.url));
  const left = new Set<string>();
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    // Sentences of the command "explain" are no hints of a request.
    if (!name.endsWith('.ts') || /^(?:explain|doctor)\//.test(name)) continue;
    const commands = readFileSync(`${root}${name}`, 'utf8').match(/"forager [^"]+"/g) ?? [];
    for (const [, words = ''] of commands
      .map(hintOverHttp)
      .join()
      .matchAll(/"forager ([^"]+)"/g)) {
      left.add(words);
    }
  }
  const known = (words: string): boolean => FOR_THE_MACHINE.some((one) => words.startsWith(one));
  expect([...left].filter((words) => !known(words))).toEqual([]);
});
