/** A domain may choose a parser that there is, or none. */
import type { DomainSettings } from '../../contract/domain-settings.ts';
import { NO_PARSER } from '../../engine/extract/registry.ts';
import type { OpenedParsers } from '../../engine/extract/site/open-parsers.ts';
import { ForagerError } from '../../platform/errors.ts';
import { unknownParser } from './read-parsers.ts';

/** Null is the default, which is there always. */
export function expectParser({ parserName }: DomainSettings, parsers: OpenedParsers): void {
  if (parserName === undefined || parserName === null || parserName === NO_PARSER) return;
  if (parsers.names.includes(parserName)) return;
  const { message, hint } = unknownParser(parsers, parserName);
  throw new ForagerError('bad-parser', message, hint === undefined ? {} : { hint });
}
