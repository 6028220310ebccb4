/** Where images lie: the one place that knows it, since those who read them must look where they were written. */
import path from 'node:path';
import type { Config } from '../../platform/config.ts';

export function imagesDirectory({ imagesDir, dataDir }: Pick<Config, 'imagesDir' | 'dataDir'>): string {
  return imagesDir ?? path.join(dataDir, 'images');
}
