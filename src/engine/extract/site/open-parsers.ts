/**
 * Opens the parsers of this installation: the generic one, those that come along, and those of the operator. A file that
 * is broken stops nothing: it is told, and the parser it was to be fails on every page, so that it is seen.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SiteParser } from '../../../parser/site-parser.ts';
import { errorCode } from '../../../platform/errors.ts';
import { packageRoot } from '../../../platform/program-version.ts';
import type { PageParser } from '../extract-page.ts';
import { genericParser } from '../generic/generic-parser.ts';
import { failingParser, type ParserRegistry } from '../registry.ts';
import { BadParser, loadParserModule, nameOfFile } from './parser-module.ts';
import { makeSiteParser } from './site-page-parser.ts';

export interface ParserFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  /** built-in: part of the program; bundled: comes along with it; folder and setting: the operator's own. */
  readonly origin: ParserOrigin;
  readonly file: string | undefined;
}

export type ParserOrigin = 'built-in' | 'bundled' | 'folder' | 'setting';

/** A file that is no parser: what is wrong with it, and what to do. */
export interface ParserTrouble {
  readonly file: string;
  /** The parser it was to be. */
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

export interface OpenedParsers extends ParserRegistry {
  readonly parsers: readonly ParserFacts[];
  readonly troubles: readonly ParserTrouble[];
}

export interface ParserPlaces {
  /** A folder of parsers; it need not be there. */
  readonly directory?: string | undefined;
  /** Files of parsers; each must be there. */
  readonly files?: readonly string[] | undefined;
  /** Where those lie that come along. */
  readonly bundled?: string | undefined;
}

export const bundledParsers = path.join(packageRoot, 'parsers');

const BUILT_IN: ParserFacts = {
  ...{ name: genericParser.name, version: genericParser.version, origin: 'built-in', file: undefined },
  description: 'Structured data of any shop (JSON-LD, microdata, RDFa, Open Graph), then careful guesses',
};

export async function openParsers(places: ParserPlaces = {}): Promise<OpenedParsers> {
  const found = new Map<string, { readonly facts: ParserFacts; readonly parser: PageParser }>();
  found.set(genericParser.name, { facts: BUILT_IN, parser: genericParser });
  const troubles: ParserTrouble[] = [];
  const broken = new Map<string, PageParser>();
  for (const { file, origin } of await listFiles(places, troubles)) {
    try {
      const site = await loadParserModule(file);
      const rival = found.get(site.name);
      if (rival !== undefined) throw alreadyThere(site, rival.facts);
      const { name, version, describe: description } = site;
      found.set(name, { facts: { name, version, description, origin, file }, parser: makeSiteParser(site) });
    } catch (error) {
      if (!(error instanceof BadParser)) throw error;
      const name = nameOfFile(file);
      troubles.push({ file, name, message: error.message, hint: error.hint });
      broken.set(name, failingParser(name, 'broken', `its file ${file} is no parser: ${error.message}`));
    }
  }
  return {
    find: (name) => found.get(name)?.parser ?? broken.get(name),
    names: [...found.keys()],
    parsers: [...found.values()].map(({ facts }) => facts),
    troubles,
  };
}

interface ParserFile {
  readonly file: string;
  readonly origin: ParserOrigin;
}

/** Those that come along first: nobody takes their names by accident. */
async function listFiles(places: ParserPlaces, troubles: ParserTrouble[]): Promise<ParserFile[]> {
  const { bundled = bundledParsers, directory, files = [] } = places;
  const inFolder = directory === undefined ? [] : await listFolder(directory, 'folder', troubles);
  const named = [...new Set(files)].filter((file) => !inFolder.some((other) => other.file === file));
  return [
    ...(await listFolder(bundled, 'bundled', troubles)),
    ...inFolder,
    ...named.map((file) => ({ file, origin: 'setting' as const })),
  ];
}

async function listFolder(
  directory: string,
  origin: ParserOrigin,
  troubles: ParserTrouble[],
): Promise<ParserFile[]> {
  try {
    const names = await readdir(directory);
    // What begins with a dot is an editor's, or on its way.
    return names
      .filter((name) => /^[^.].*\.m?js$/.test(name))
      .sort()
      .map((name) => ({ file: path.join(directory, name), origin }));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT') {
      const message = `the folder of parsers cannot be read (${code ?? String(error)})`;
      troubles.push({
        file: directory,
        name: '',
        message,
        hint: 'check FORAGER_PARSERS_DIR and who may read it',
      });
    }
    return [];
  }
}

function alreadyThere({ name }: SiteParser, { origin, file }: ParserFacts): BadParser {
  // Without its folder, which is nobody's business who only looks at parsers.
  const owner = file === undefined ? 'one of the program' : `${path.basename(file)} (${origin})`;
  return new BadParser(
    `there is a parser "${name}" already: ${owner}`,
    'give one of them another name, or take one of the files away',
  );
}
