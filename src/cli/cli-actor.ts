/** Whoever types commands here, for the audit log. */
import os from 'node:os';
import type { Actor } from '../control/access/actor.ts';

export function cliActor(): Actor {
  return { name: `cli:${userName()}` };
}

/** A container may run under a number nobody gave a name. */
export function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
