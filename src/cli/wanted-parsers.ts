/** The parsers that a worker looks for products with. */
import { describeTrouble, openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import type { OpenedParsers } from '../engine/extract/site/open-parsers.ts';
import type { Config } from '../platform/config.ts';

/** Undefined: pages are not looked at for products. A file that is broken is told, and ends nothing. */
export async function openWantedParsers(
  config: Config,
  warn?: (sentence: string) => void,
): Promise<OpenedParsers | undefined> {
  if (!config.extractProducts) return undefined;
  const parsers = await openConfiguredParsers(config);
  for (const trouble of parsers.troubles) warn?.(describeTrouble(trouble));
  return parsers;
}
