/** The parsers for products, as the settings have them. */
import path from 'node:path';
import { type OpenedParsers, openParsers } from '../engine/extract/registry.ts';
import type { Config } from '../platform/config.ts';

export function openSiteParsers({ parsersDir, parsers, dataDir }: Config): Promise<OpenedParsers> {
  return openParsers({ directory: parsersDir ?? path.join(dataDir, 'parsers'), files: parsers });
}

/** Undefined: pages are not looked at for products. */
export async function openWantedParsers(config: Config): Promise<OpenedParsers | undefined> {
  return config.extractProducts ? openSiteParsers(config) : undefined;
}
