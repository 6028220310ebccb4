/** The parsers that a worker looks for products with. */
import { openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import type { OpenedParsers } from '../engine/extract/site/open-parsers.ts';
import type { Config } from '../platform/config.ts';

/** Undefined: pages are not looked at for products. */
export async function openWantedParsers(config: Config): Promise<OpenedParsers | undefined> {
  return config.extractProducts ? openConfiguredParsers(config) : undefined;
}
