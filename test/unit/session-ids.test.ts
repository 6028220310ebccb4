import { describe, expect, test } from 'vitest';
import {
  isSessionParameter,
  isTokenLike,
  stripSessionFromPath,
} from '../../src/engine/frontier/session-ids.ts';

describe('a parameter is a session id', () => {
  test.each([
    ['PHPSESSID', 'x'],
    ['jsessionid', '0A1B2C.node1'],
    ['ASPSESSIONIDQQBRTCAB', 'KLMNOP'],
    ['ASP.NET_SessionId', 'lit3py55t21z5v55vlm25s55'],
    ['osCsid', '1'],
    ['sid', 'cdc993a493e899bed04f4d0c8a462a03'],
    ['session_id', '123e4567-e89b-12d3-a456-426614174000'],
    ['s', '0f2c8d1e4b6a79530f2c8d1e4b6a7953'],
    ['sessionid', '12345678901234567890'],
  ])('by its name, or by a common name with a minted value: %s=%s', (name, value) => {
    expect(isSessionParameter(name, value)).toBe(true);
  });

  test.each([
    ['sid', '5'],
    ['sid', ''],
    ['session', 'keynote'],
    ['session', 'introduction-to-x2-and-y3-basics'],
    ['session', 'opening2024keynote'],
    ['session_id', '2024110512'],
    ['s', 'running shoes'],
    ['id', 'cdc993a493e899bed04f4d0c8a462a03'],
    ['token', 'cdc993a493e899bed04f4d0c8a462a03'],
    ['sessions', 'cdc993a493e899bed04f4d0c8a462a03'],
  ])('not otherwise: %s=%s', (name, value) => {
    expect(isSessionParameter(name, value)).toBe(false);
  });
});

test('letters alone are no token, however many', () => {
  expect(isTokenLike('internationalization')).toBe(false);
});

describe('a path loses its session ids and nothing else', () => {
  test.each([
    ['/a/b', '/a/b'],
    ['/a;jsessionid=1', '/a'],
    ['/a;jsessionid=1;v=2/b', '/a;v=2/b'],
    ['/a;jsessionid=1;jsessionid=2', '/a'],
    ['/a;jsessionid', '/a;jsessionid'],
    ['/a;;b', '/a;;b'],
    ['/x/(S(abc))/y', '/x/y'],
    ['/(A(abc)S(def))/y', '/y'],
    ['/(S(abc))/', '/'],
    ['/(S(abc));jsessionid=1/y', '/y'],
    ['/wiki/Mercury_(planet)', '/wiki/Mercury_(planet)'],
    ['/(2024)/a', '/(2024)/a'],
  ])('%s → %s', (path, stripped) => {
    expect(stripSessionFromPath(path)).toBe(stripped);
  });
});
