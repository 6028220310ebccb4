import { expect, test } from 'vitest';
import { robotsAccess } from '../../src/engine/politeness/robots-access.ts';

test.each([
  [200, 'parse'],
  [204, 'parse'],
  [206, 'parse'],
  [301, 'allow-all'],
  [302, 'allow-all'],
  [308, 'allow-all'],
  [304, 'defer'],
  [400, 'allow-all'],
  [401, 'allow-all'],
  [403, 'allow-all'],
  [404, 'allow-all'],
  [410, 'allow-all'],
  [451, 'allow-all'],
  [499, 'allow-all'],
  [429, 'defer'],
  [500, 'disallow-all'],
  [502, 'disallow-all'],
  [503, 'disallow-all'],
  [599, 'disallow-all'],
  [0, 'disallow-all'],
  [101, 'disallow-all'],
  [999, 'disallow-all'],
  ['unreachable', 'disallow-all'],
] as const)('a robots.txt answered with %s means %s', (status, access) => {
  expect(robotsAccess(status)).toBe(access);
});
