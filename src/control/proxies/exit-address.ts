/** The address that a service says it was asked from: its whole answer, or a field of it. */
import { isIP } from 'node:net';

const FIELDS = ['ip', 'origin', 'query', 'address'] as const;
/** An answer with an address in it is short. */
const LONGEST = 10_000;

export function readExitAddress(body: string): string | undefined {
  const text = body.slice(0, LONGEST).trim();
  return findAddress(text) ?? findInJson(text);
}

function findInJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    for (const field of FIELDS) {
      const found = value[field];
      const address = typeof found === 'string' ? findAddress(found) : undefined;
      if (address !== undefined) return address;
    }
  } catch {
    // No JSON: no address.
  }
  return undefined;
}

/** Services behind others name several, the one that was asked from first. */
function findAddress(text: string): string | undefined {
  const first = text.split(',')[0]?.trim() ?? '';
  return isIP(first) === 0 || first.includes('%') ? undefined : first;
}
