import { expect, test } from 'vitest';
import { isWebPort } from '../../src/engine/fetch/web-port.ts';

test.each(['', '80', '443', '8080', '8443', '3000', '65535'])('"%s" is a port for the web', (port) => {
  expect(isWebPort(port)).toBe(true);
});

test.each(['0', '1', '22', '25', '53', '110', '143', '587', '6000', '6667', '10080'])(
  '%s is a port of another service',
  (port) => {
    expect(isWebPort(port)).toBe(false);
  },
);
