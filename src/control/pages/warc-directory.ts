/** Where the page bodies lie: the one place that knows it, since those who read them must look where they were written. */
import path from 'node:path';
import type { Config } from '../../platform/config.ts';

export function warcDirectory(config: Pick<Config, 'dataDir'>): string {
  return path.join(config.dataDir, 'warc');
}
