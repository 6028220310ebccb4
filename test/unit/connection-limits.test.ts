import { EventEmitter } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeProxyTrust } from '../../src/api/client-address.ts';
import {
  connectionsPerNetwork,
  connectionsWithin,
  limitConnections,
  readOpenFilesLimit,
} from '../../src/api/connection-limits.ts';
import { SERVER_LIMITS } from '../../src/api/server-limits.ts';

describe('how many connections there may be', () => {
  test.each([
    [Number.POSITIVE_INFINITY, 10_000, 2500],
    [1_048_576, 10_000, 2500],
    [20_000, 5000, 1250],
    [1024, 256, 64],
    [100, 64, 64],
  ])('of %d open files: %d, of one network %d', (openFiles, all, one) => {
    expect(connectionsWithin(openFiles)).toBe(all);
    expect(connectionsPerNetwork(all)).toBe(one);
  });

  test('leaves most files of this very process to others', () => {
    expect(SERVER_LIMITS.connections).toBe(connectionsWithin(readOpenFilesLimit()));
    expect(SERVER_LIMITS.connectionsPerNetwork).toBe(connectionsPerNetwork(SERVER_LIMITS.connections));
  });

  test.each([
    [
      'Limit     Soft Limit  Hard Limit  Units\nMax open files            1234                 99999   files\n',
      1234,
    ],
    ['Max open files            unlimited            unlimited   files\n', Number.POSITIVE_INFINITY],
    ['nothing of the kind', 1024],
  ])('%j says how many files there may be', (text, limit) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'limits-')), 'limits');
    writeFileSync(file, text);
    expect(readOpenFilesLimit(file)).toBe(limit);
  });

  test('a system that does not tell is taken to be an ordinary one', () => {
    expect(readOpenFilesLimit('/nonexistent/limits')).toBe(1024);
  });
});

class Visitor extends EventEmitter {
  readonly remoteAddress: string;
  isDestroyed = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.emit('close');
  }
}

describe('of one network', () => {
  function makeDoor(trustedProxies: readonly string[] = []): (address: string) => Visitor {
    const server = createServer();
    server.removeAllListeners('connection');
    limitConnections(server, { connections: 100, connectionsPerNetwork: 2 }, makeProxyTrust(trustedProxies));
    return (address) => {
      const visitor = new Visitor(address);
      server.emit('connection', visitor);
      return visitor;
    };
  }
  const enter = (door: (address: string) => Visitor, addresses: readonly string[]): boolean[] =>
    addresses.map((address) => !door(address).isDestroyed);

  test('no more come in than may, and others still do', () => {
    expect(enter(makeDoor(), ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])).toEqual([
      ...[true, true, false, true],
    ]);
  });

  test('an IPv6 network is one, and IPv4 written as IPv6 is IPv4', () => {
    expect(enter(makeDoor(), ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3', '2001:db8:0:1::1'])).toEqual([
      ...[true, true, false, true],
    ]);
    expect(enter(makeDoor(), ['::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1'])).toEqual([
      ...[true, true, false],
    ]);
  });

  test('whoever leaves makes room, and whoever was refused has taken none', () => {
    const door = makeDoor();
    const [first] = [door('192.0.2.1'), door('192.0.2.1')];
    for (let n = 0; n < 5; n += 1) expect(door('192.0.2.1').isDestroyed).toBe(true);
    first?.destroy();
    expect(enter(door, ['192.0.2.1', '192.0.2.1'])).toEqual([true, false]);
  });

  test('everybody comes through a proxy of ours', () => {
    expect(
      enter(
        makeDoor(['192.0.2.0/24']),
        Array.from({ length: 5 }, () => '192.0.2.1'),
      ),
    ).toEqual(Array.from({ length: 5 }, () => true));
  });
});
