import { expect, test } from 'vitest';
import {
  describeExchange,
  measureExchange,
  packExchange,
  unpackExchanges,
} from '../../src/engine/store/exchange-frame.ts';
import { makeExchange } from './archive-fixture.ts';

test('exchanges packed into a frame are unpacked as they were, in exactly the room they were measured at', () => {
  const exchanges = [
    makeExchange(),
    makeExchange({ rawBody: Buffer.alloc(0), remoteAddress: undefined, headers: [] }),
    makeExchange({ url: 'https://example.com/ü', headers: ['X', '日本 "quoted"\r\n'] }),
  ];
  const frame = Buffer.alloc(10_000, 0xee);
  let at = 0;
  for (const exchange of exchanges) {
    const meta = describeExchange(exchange);
    const end = packExchange(frame, at, meta, exchange.rawBody);
    expect(end - at).toBe(measureExchange(meta, exchange.rawBody));
    at = end;
  }
  expect([...unpackExchanges(frame, at)]).toEqual(exchanges);
});

test('an exchange without a valid date is refused', () => {
  expect(() => describeExchange(makeExchange({ fetchedAt: new Date(Number.NaN) }))).toThrow(TypeError);
});
