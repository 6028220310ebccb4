import { expect, test } from 'vitest';
import { createLog, type LogLevel } from '../../src/platform/log.ts';

function record(level: LogLevel, format: 'plain' | 'json' = 'plain') {
  const lines: string[] = [];
  return { lines, log: createLog({ level, format, write: (line) => lines.push(line) }) };
}

test('only what is at least as serious as the level is written', () => {
  for (const [level, count] of [
    ['silent', 0],
    ['error', 1],
    ['warn', 2],
    ['info', 3],
    ['debug', 4],
  ] as const) {
    const { lines, log } = record(level);
    log.error('e');
    log.warn('w');
    log.info('i');
    log.debug('d');
    expect(lines).toHaveLength(count);
  }
});

test('one event is one line, whatever a server sent', () => {
  const { lines, log } = record('info');
  log.info('first\nsecond\r\nthird', { title: 'a\nb', escape: '\u001b[31mred' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\n\r\u001b]/);
});

test('fields follow the message, those without a value are left out', () => {
  const { lines, log } = record('info');
  log.info('done', { pages: 3, note: 'two words', nothing: undefined });
  expect(lines[0]).toMatch(/^\S+Z info +done pages=3 note="two words"$/);
});

test('as JSON every line can be read back', () => {
  const { lines, log } = record('info', 'json');
  log.warn('odd "quote"\n', { pages: 3 });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', message: 'odd "quote"\n', pages: 3 });
});
