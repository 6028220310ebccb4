/**
 * The marker beside a segment that is being written: who writes it, and up to where its bytes are known to
 * be on stable storage, so that repair after a crash need not read a whole gigabyte.
 */
import { writeSync } from 'node:fs';

export interface OpenMarker {
  /** Every byte before this was synced, and a record ends here. */
  readonly syncedBytes: number;
  readonly writerId: string;
  /** The identity of the writing worker, as it was given to the store; empty if none was. */
  readonly owner: string;
}

const DIGITS = 15;

/** The count comes first and has a fixed width: it is overwritten in place. */
export function formatMarker(marker: OpenMarker): string {
  const rest = JSON.stringify({ writerId: marker.writerId, owner: marker.owner });
  return `${formatCount(marker.syncedBytes)}\n${rest}\n`;
}

export function updateMarker(fd: number, syncedBytes: number): void {
  writeSync(fd, formatCount(syncedBytes), 0, 'latin1');
}

/** A marker torn by a power cut still marks: it then names nobody and promises no bytes. */
export function parseMarker(text: string): OpenMarker {
  const match = /^(\d{15})\n(.*)\n$/.exec(text);
  const details = parseDetails(match?.[2]);
  return { syncedBytes: Number(match?.[1] ?? 0), ...details };
}

function parseDetails(json: string | undefined): { writerId: string; owner: string } {
  try {
    const value: unknown = JSON.parse(json ?? '');
    if (typeof value !== 'object' || value === null) return { writerId: '', owner: '' };
    const writerId = 'writerId' in value ? String(value.writerId) : '';
    return { writerId, owner: 'owner' in value ? String(value.owner) : '' };
  } catch {
    return { writerId: '', owner: '' };
  }
}

function formatCount(bytes: number): string {
  return String(bytes).padStart(DIGITS, '0');
}
