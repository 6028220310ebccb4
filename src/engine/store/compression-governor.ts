/**
 * Compressing a 20 KB page makes archiving it three to six times as expensive (0.12 to 0.23 ms more; figures in
 * docs/decisions/0003-warc-segments.md). A polite crawl waits most of the time and has that to spare; a crawl
 * at full speed on a small machine would pay for it in pages per second. So pages are compressed while the
 * machine has idle time and the writer keeps up, and stored as they are (still valid gzip) when not.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { monotonicMs } from '../../platform/clock.ts';

/** Cumulative processor time of the machine, in any unit. */
export interface CpuTimes {
  readonly idle: number;
  readonly total: number;
}

const SAMPLE_EVERY_MS = 500;
const MIN_IDLE_SHARE = 0.1;
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;

export class CompressionGovernor {
  readonly #readTimes: () => CpuTimes;
  readonly #readMs: () => number;
  #last: CpuTimes;
  #nextSampleMs: number;
  #hasIdleTime = true;

  constructor(readTimes: () => CpuTimes = readCpuTimes, readMs: () => number = monotonicMs) {
    this.#readTimes = readTimes;
    this.#readMs = readMs;
    this.#last = readTimes();
    this.#nextSampleMs = readMs() + SAMPLE_EVERY_MS;
  }

  /** `backlogBytes`: what waits to be written behind the record in question. */
  mayCompress(backlogBytes: number): boolean {
    if (backlogBytes > MAX_BACKLOG_BYTES) return false;
    if (this.#readMs() >= this.#nextSampleMs) this.#sample();
    return this.#hasIdleTime;
  }

  #sample(): void {
    const times = this.#readTimes();
    const elapsed = times.total - this.#last.total;
    if (elapsed > 0) this.#hasIdleTime = (times.idle - this.#last.idle) / elapsed >= MIN_IDLE_SHARE;
    this.#last = times;
    this.#nextSampleMs = this.#readMs() + SAMPLE_EVERY_MS;
  }
}

/** /proc/stat costs microseconds where os.cpus() also reads each core's clock rate: milliseconds on big machines. */
export function readCpuTimes(): CpuTimes {
  try {
    const fields = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]?.trim().split(/\s+/) ?? [];
    const ticks = fields.slice(1, 9).map(Number);
    const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
    return { idle, total: ticks.reduce((sum, value) => sum + value, 0) };
  } catch {
    let [idle, total] = [0, 0];
    for (const { times } of cpus()) {
      idle += times.idle;
      total += times.user + times.nice + times.sys + times.irq + times.idle;
    }
    return { idle, total };
  }
}
