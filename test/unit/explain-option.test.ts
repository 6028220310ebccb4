/** Options whose bounds are those of the contract: what is said when one is outside of them. */
import { describe, expect, test } from 'vitest';
import { readSettings, type SettingsOptions } from '../../src/cli/domain-settings-options.ts';

function complaint(options: SettingsOptions): string {
  try {
    readSettings(options);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

describe('settings of a domain', () => {
  test.each<[string, SettingsOptions]>([
    ['The --concurrency is not possible: it must be a whole number from 1 to 100.', { concurrency: 101 }],
    ['The --concurrency is not possible: it must be a whole number from 1 to 100.', { concurrency: 0 }],
    ['The --delay is not possible: it must be a number from 0 to 86400.', { delay: 86_400_001 }],
    ['The --every is not possible: it must be a whole number from 1 to 87600.', { every: 0 }],
    ['The --scope is not possible: it must be one of host, domain, any.', { scope: 'all' }],
    ['The --user-agent is not possible: it must be plain ASCII on one line.', { userAgent: 'é' }],
    ['The --include is not possible: it must not be empty.', { include: [''] }],
    ['The --parser is not possible: it must be a name such as "generic".', { parser: 'A B' }],
    [
      'The --maintenance is not possible: it must be a time of day such as 02:00.',
      { maintenance: { start: '25:00', end: '02:00' } },
    ],
  ])('%s', (sentence, options) => {
    expect(complaint(options)).toBe(sentence);
  });

  test('what is possible, and what is to be the default', () => {
    expect(readSettings({ concurrency: 3, maxDepth: 'default' })).toEqual({
      maxConcurrentRequests: 3,
      maxDepth: null,
    });
  });
});
