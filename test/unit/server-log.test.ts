import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import { openServerLog } from '../../src/cli/server-log.ts';
import { loadConfig } from '../../src/platform/config.ts';

function openLog(isInteractive: boolean, isJson: boolean) {
  const written: string[] = [];
  const err = { isInteractive, write: (text: string) => written.push(text) };
  const context = { config: loadConfig({}, {}), err, isJson } as unknown as CommandContext;
  return { log: openServerLog(context), written };
}

const info = '{"level":30,"msg":"request","path":"/api/stats"}\n';
const warning = '{"level":40,"msg":"refused","code":"too-slow","err":{"message":"slow \\u001b[31mred"}}\n';

describe('the log of the server', () => {
  test.each([
    ['into a file or pipe', false, false],
    ['on a terminal with --json', true, true],
  ])('is as it was written %s', (_where, isInteractive, isJson) => {
    const { log, written } = openLog(isInteractive, isJson);
    log.stream.write(info);
    log.stream.write(warning);
    expect(written).toEqual([info, warning]);
  });

  test('on a terminal is a line for warnings and errors, in which nothing steers the terminal', () => {
    const { log, written } = openLog(true, false);
    log.stream.write(info);
    log.stream.write(warning);
    expect(written).toEqual(['  warning: refused: too-slow: slow  [31mred\n']);
  });

  test('goes through whoever draws on the same terminal', () => {
    const { log, written } = openLog(true, false);
    const shown: string[] = [];
    log.showThrough((text) => shown.push(text));
    log.stream.write('{"level":50,"msg":"the worker has failed"}\n');
    expect(shown).toEqual(['error: the worker has failed']);
    expect(written).toEqual([]);
  });
});
