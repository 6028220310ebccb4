import { deflateSync } from 'node:zlib';
import { createRandom } from './random.ts';

/** A little still life in the product's own colours: a shape on a shelf, different for every name. */
export function drawSvg(name: string, hue: number): string {
  const random = createRandom(`svg:${name}`);
  const width = random.between(44, 74);
  const height = random.between(40, 84);
  const round = random.between(4, 30);
  const left = 64 - width / 2;
  const top = 104 - height;
  const tilt = random.between(-4, 4);
  const handle = random.mayHappen(0.5)
    ? `<path d="M${left + width} ${top + 12} q18 ${height / 4} 0 ${height / 2}" fill="none" stroke="hsl(${hue} 35% 38%)" stroke-width="6"/>`
    : `<circle cx="64" cy="${top - 6}" r="7" fill="hsl(${hue} 35% 38%)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="256" height="256" role="img">
<rect x="8" y="104" width="112" height="6" rx="3" fill="hsl(30 25% 55%)"/>
<g transform="rotate(${tilt} 64 104)">${handle}
<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${round}" fill="hsl(${hue} 45% 52%)"/>
<rect x="${left + 6}" y="${top + 8}" width="7" height="${Math.round(height * 0.6)}" rx="3.5" fill="hsl(${hue} 55% 74%)"/></g>
</svg>
`;
}

const SIDE = 64;

/** A PNG made by hand: a disc of the given hue on a pale ground, 64 pixels square. */
export function drawPng(name: string, hue: number): Buffer {
  const random = createRandom(`png:${name}`);
  const radius = random.between(18, 28);
  const [red, green, blue] = convertHue(hue);
  // One filter byte, then three bytes a pixel, for each row.
  const rows = Buffer.alloc(SIDE * (1 + SIDE * 3), 244);
  for (let y = 0; y < SIDE; y += 1) {
    rows[y * (1 + SIDE * 3)] = 0;
    for (let x = 0; x < SIDE; x += 1) {
      const distance = Math.hypot(x - SIDE / 2, y - SIDE / 2);
      if (distance > radius) continue;
      const shade = 1 - (distance / radius) * 0.35;
      rows.set([red * shade, green * shade, blue * shade], y * (1 + SIDE * 3) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    makeChunk('IHDR', header),
    makeChunk('IDAT', deflateSync(rows)),
    makeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function convertHue(hue: number): [number, number, number] {
  const channel = (offset: number): number =>
    Math.round(150 + 70 * Math.cos(((hue - offset) / 180) * Math.PI));
  return [channel(0), channel(120), channel(240)];
}

function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(sumCrc32(body), body.length + 4);
  return chunk;
}

function sumCrc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
