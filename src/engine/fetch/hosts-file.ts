import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { monotonicMs } from '../../platform/clock.ts';

/** How often the file's date is looked at: an edit takes effect within this time. */
const RECHECK_MS = 5_000;

export interface HostsFile {
  /** Addresses the system's hosts file gives a name (lower case, no trailing dot); empty when it is silent. */
  addressesOf(name: string): Promise<readonly string[]>;
}

export interface HostsFileOptions {
  readonly path: string;
  readonly nowMs?: () => number;
}

/** c-ares queries servers only, so the names a machine's owner wrote down must be read from the file itself. */
export function openHostsFile(options: HostsFileOptions): HostsFile {
  const nowMs = options.nowMs ?? monotonicMs;
  let entries = new Map<string, string[]>();
  let version = '';
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      const { mtimeMs, size } = await stat(options.path);
      const found = `${mtimeMs}:${size}`;
      if (found !== version) {
        entries = parseHosts(await readFile(options.path, 'utf8'));
        version = found;
      }
    } catch {
      // No hosts file (or not ours to read) is an ordinary state of a machine.
      entries = new Map();
      version = '';
    }
    checkedAtMs = nowMs();
  }

  return {
    async addressesOf(name) {
      if (nowMs() - checkedAtMs >= RECHECK_MS) {
        refreshing ??= refresh().finally(() => {
          refreshing = undefined;
        });
        await refreshing;
      }
      return entries.get(name) ?? [];
    },
  };
}

export function parseHosts(text: string): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [content = ''] = line.split('#');
    const [address = '', ...names] = content.trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      const known = entries.get(key);
      if (known) known.push(address);
      else entries.set(key, [address]);
    }
  }
  return entries;
}
