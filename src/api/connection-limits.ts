/**
 * How many connections there may be. Each costs an open file, of which a process has so many and no more, and whoever
 * runs the crawler in the same process needs most of them: connections to sites, the database, the archive. So the
 * server takes a part, and of that part nobody may take all: anybody can open connections and say nothing.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, type ProxyTrust, plainAddress } from './client-address.ts';

const MOST = 10_000;
const FEWEST = 64;
/** What nearly every system allows. */
const USUAL_OPEN_FILES = 1024;
const PART = 4;

/** Of all together. */
export function connectionsWithin(openFiles: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor(openFiles / PART)));
}

/** Of one network. */
export function connectionsPerNetwork(connections: number): number {
  return Math.max(FEWEST, Math.floor(connections / PART));
}

/** The soft limit that the system has set for this process; Linux tells. */
export function readOpenFilesLimit(path = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)\s/m.exec(readFileSync(path, 'utf8'))?.[1];
    if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
    return soft === undefined ? USUAL_OPEN_FILES : Number(soft);
  } catch {
    return USUAL_OPEN_FILES;
  }
}

export interface ConnectionLimits {
  readonly connections: number;
  readonly connectionsPerNetwork: number;
}

/** Counted by whoever is at the other end: behind a proxy of ours that is everybody, so it has no limit of its own. */
export function limitConnections(server: Server, limits: ConnectionLimits, trust: ProxyTrust): void {
  server.maxConnections = limits.connections;
  const countOf = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === undefined || trust.isTrusted(address)) return;
    const network = networkOf(address);
    const count = (countOf.get(network) ?? 0) + 1;
    countOf.set(network, count);
    socket.once('close', () => {
      const left = (countOf.get(network) ?? 1) - 1;
      if (left === 0) countOf.delete(network);
      else countOf.set(network, left);
    });
    if (count > limits.connectionsPerNetwork) socket.destroy();
  });
}
