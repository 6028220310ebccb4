/** The parser that somebody means: by its name, or by the file of one that is not switched on yet. */
import path from 'node:path';
import type { PageParser } from '../../engine/extract/extract-page.ts';
import type { OpenedParsers } from '../../engine/extract/site/open-parsers.ts';
import { BadParser, loadParserModule } from '../../engine/extract/site/parser-module.ts';
import { makeSiteParser } from '../../engine/extract/site/site-page-parser.ts';
import { ForagerError } from '../../platform/errors.ts';
import { unknownParser } from './read-parsers.ts';

export async function chooseParser(parsers: OpenedParsers, text: string): Promise<PageParser> {
  if (isFile(text)) return openParserFile(text);
  const parser = parsers.find(text);
  if (parser === undefined || !parsers.names.includes(text)) {
    throw new ForagerError('bad-parser', ...toArguments(unknownParser(parsers, text)));
  }
  return parser;
}

function toArguments({ message, hint }: ForagerError): [string, { hint?: string }] {
  return [message, hint === undefined ? {} : { hint }];
}

/** Names have neither dots nor slashes. */
function isFile(text: string): boolean {
  return /[/\\.]/.test(text);
}

async function openParserFile(text: string): Promise<PageParser> {
  const file = path.resolve(text);
  try {
    return makeSiteParser(await loadParserModule(file));
  } catch (error) {
    if (!(error instanceof BadParser)) throw error;
    const message = `The parser ${text} cannot be used: ${error.message}.`;
    throw new ForagerError('bad-parser', message, { hint: error.hint, cause: error });
  }
}
