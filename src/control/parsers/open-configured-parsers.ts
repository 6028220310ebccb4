/** The parsers that the settings name. */
import path from 'node:path';
import {
  type OpenedParsers,
  openParsers,
  type ParserTrouble,
} from '../../engine/extract/site/open-parsers.ts';
import type { Config } from '../../platform/config.ts';

type ParserSettings = Pick<Config, 'dataDir' | 'parsersDir' | 'parsers'>;

export function openConfiguredParsers(config: ParserSettings): Promise<OpenedParsers> {
  return openParsers({ directory: parsersDirectory(config), files: config.parsers });
}

export function parsersDirectory({ parsersDir, dataDir }: ParserSettings): string {
  return parsersDir ?? path.join(dataDir, 'parsers');
}

/** For the log and for the doctor. */
export function describeTrouble({ file, message }: ParserTrouble): string {
  return `The parser ${file} cannot be used: ${message}.`;
}
