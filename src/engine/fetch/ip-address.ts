import { isIPv4, isIPv6 } from 'node:net';

/** The 32 bits of a dotted-decimal address; undefined for anything else (URL parsing canonicalises first). */
export function parseIpv4(text: string): number | undefined {
  if (!isIPv4(text)) return undefined;
  let bits = 0;
  for (const octet of text.split('.')) bits = bits * 256 + Number(octet);
  return bits;
}

/** The eight 16-bit groups of an address in any legal spelling, with or without a zone. */
export function parseIpv6(text: string): number[] | undefined {
  if (!isIPv6(text)) return undefined;
  const [address = ''] = text.split('%');
  const [head = '', tail] = address.split('::');
  const headGroups = readGroups(head);
  if (tail === undefined) return headGroups;
  const tailGroups = readGroups(tail);
  const zeros = new Array<number>(8 - headGroups.length - tailGroups.length).fill(0);
  return [...headGroups, ...zeros, ...tailGroups];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    const embedded = parseIpv4(group);
    if (embedded === undefined) return [Number.parseInt(group, 16)];
    return [Math.floor(embedded / 0x10000), embedded % 0x10000];
  });
}
