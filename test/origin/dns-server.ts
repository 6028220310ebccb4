/** A name server on loopback: answers A and AAAA questions from a table, over UDP, as RFC 1035 says. */
import { createSocket } from 'node:dgram';
import { parseIpv4, parseIpv6 } from '../../src/engine/fetch/ip-address.ts';

export interface DnsZone {
  readonly addresses: readonly string[];
  readonly ttlSeconds?: number;
  /** Response code instead of an answer: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  readonly rcode?: number;
  /** Questions of this type stay unanswered. */
  readonly silentType?: 'A' | 'AAAA';
}

export interface DnsServer {
  /** `address:port`, as c-ares takes it. */
  readonly address: string;
  /** `name type` of every question. */
  readonly questions: readonly string[];
  set(name: string, zone: DnsZone): void;
  close(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;

export async function startDnsServer(): Promise<DnsServer> {
  const zones = new Map<string, DnsZone>();
  const questions: string[] = [];
  const socket = createSocket('udp4');

  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const kind = type === TYPE_AAAA ? 'AAAA' : 'A';
    questions.push(`${name} ${kind}`);
    const zone = zones.get(name);
    if (zone?.silentType === kind) return;
    const records = (zone?.addresses ?? []).map((address) => toRecordData(address, type));
    const answers = records.filter((data) => data !== undefined);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (zone?.rcode ?? (zone ? 0 : 3)), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    const body = answers.map((data) => encodeRecord(type, zone?.ttlSeconds ?? 60, data));
    socket.send(Buffer.concat([head, query.subarray(12, end), ...body]), peer.port, peer.address);
  });

  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    set: (name, zone) => void zones.set(name, zone),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function toRecordData(address: string, type: number): Buffer | undefined {
  const ipv4 = parseIpv4(address);
  if (type === TYPE_A && ipv4 !== undefined) {
    const data = Buffer.alloc(4);
    data.writeUInt32BE(ipv4);
    return data;
  }
  const ipv6 = parseIpv6(address);
  if (type !== TYPE_AAAA || !ipv6) return undefined;
  const data = Buffer.alloc(16);
  for (const [index, group] of ipv6.entries()) data.writeUInt16BE(group, index * 2);
  return data;
}

function encodeRecord(type: number, ttlSeconds: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name is the question's
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
