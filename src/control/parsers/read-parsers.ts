/** The parsers of an installation: those that are there, those that domains ask for, and how each of them does. */

import { NO_PARSER } from '../../engine/extract/registry.ts';
import type { OpenedParsers, ParserFacts } from '../../engine/extract/site/open-parsers.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { findNearest } from '../../platform/nearest-name.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import { NO_COUNTS, type ParseCounts, type ParseFigures, rateOf, withRate } from './parse-figures.ts';

const sumParsers = loadSql(import.meta.url, './sum-parsers.sql');
const listVersions = loadSql(import.meta.url, './list-versions.sql');
const countDomains = loadSql(import.meta.url, './count-domains.sql');
const sumDays = loadSql(import.meta.url, './sum-days.sql');
const sumDomains = loadSql(import.meta.url, './sum-domains.sql');

/** Versions that were not used for longer are history. */
const VERSION_DAYS = 90;
const MOST_DOMAINS = 100;
const BEFORE_DAYS = 7;

export interface SeenVersion {
  readonly version: string;
  readonly pages: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

export interface ParserSummary {
  readonly name: string;
  /** Null: there is none here, only figures of it or domains that ask for it. */
  readonly version: string | null;
  readonly description: string | null;
  readonly origin: ParserFacts['origin'] | null;
  /** Why it cannot be used; null: it can. */
  readonly problem: string | null;
  /** How many have chosen it. */
  readonly domains: number;
  readonly lastDay: ParseFigures;
  readonly versions: readonly SeenVersion[];
}

export interface ParserDay extends ParseFigures {
  readonly day: string;
  readonly version: string;
}

export interface ParserDomain extends ParseFigures {
  readonly domain: string;
  readonly version: string | null;
  readonly lastAt: Date;
  /** Of the seven days before. */
  readonly rateBefore: number | null;
}

export interface ParserDetails extends ParserSummary {
  readonly days: readonly ParserDay[];
  readonly worstDomains: readonly ParserDomain[];
}

export async function listParsers(db: Database, parsers: OpenedParsers): Promise<ParserSummary[]> {
  return summarize(db, parsers, undefined);
}

export async function readParser(
  db: Database,
  parsers: OpenedParsers,
  name: string,
  options: { readonly days: number; readonly domain?: string | undefined },
): Promise<ParserDetails> {
  const summary = (await summarize(db, parsers, name)).find((parser) => parser.name === name);
  if (summary === undefined) throw unknownParser(parsers, name);
  const domainId = options.domain === undefined ? null : (await findDomain(db, options.domain)).id;
  const days = await db.query<ParseCounts & { day: string; version: string }>(sumDays, [
    ...[name, options.days, domainId],
  ]);
  const domains = await db.query<DomainRow>(sumDomains, [name, BEFORE_DAYS, domainId, MOST_DOMAINS]);
  return {
    ...summary,
    days: days.rows.map(({ day, version, ...counts }) => ({ day, version, ...withRate(counts) })),
    worstDomains: domains.rows.map(toDomain),
  };
}

export function unknownParser({ names, troubles }: OpenedParsers, name: string): ForagerError {
  const trouble = troubles.find((each) => each.name === name);
  if (trouble !== undefined) {
    return new ForagerError('unknown-parser', `The parser "${name}" cannot be used: ${trouble.message}.`, {
      hint: trouble.hint,
    });
  }
  const nearest = findNearest(name, [...names, NO_PARSER]);
  return new ForagerError('unknown-parser', `There is no parser "${name.slice(0, 100)}".`, {
    hint: `${nearest === undefined ? '' : `did you mean "${nearest}"? `}there are: ${names.join(', ')}, and ${NO_PARSER} for none at all`,
  });
}

interface DomainRow extends ParseCounts {
  readonly domain: string;
  readonly validBefore: number;
  readonly productsBefore: number;
  readonly lastAt: Date;
  readonly version: string | null;
}

function toDomain(row: DomainRow): ParserDomain {
  const { domain, version, lastAt, validBefore, productsBefore, ...counts } = row;
  return { domain, version, lastAt, ...withRate(counts), rateBefore: rateOf(validBefore, productsBefore) };
}

async function summarize(
  db: Database,
  parsers: OpenedParsers,
  only: string | undefined,
): Promise<ParserSummary[]> {
  const { rows: sums } = await db.query<ParseCounts & { name: string }>(sumParsers, [only ?? null]);
  const { rows: versions } = await db.query<SeenVersion & { name: string }>(listVersions, [
    ...[only ?? null, VERSION_DAYS],
  ]);
  const { rows: domains } = await db.query<{ name: string; domains: number }>(countDomains);
  const names = new Set([
    ...parsers.names,
    ...parsers.troubles.flatMap(({ name }) => (name === '' ? [] : [name])),
    ...domains.map(({ name }) => name),
    ...versions.map(({ name }) => name),
  ]);
  return [...names]
    .filter((name) => name !== NO_PARSER && (only === undefined || name === only))
    .map((name) => {
      const facts = parsers.parsers.find((parser) => parser.name === name);
      return {
        ...{ name, version: facts?.version ?? null, description: facts?.description ?? null },
        ...{ origin: facts?.origin ?? null, problem: problemOf(parsers, name) },
        domains: domains.find((row) => row.name === name)?.domains ?? 0,
        lastDay: withRate(sums.find((row) => row.name === name) ?? NO_COUNTS),
        versions: versions
          .filter((row) => row.name === name)
          .map(({ version, pages, firstAt, lastAt }) => ({ version, pages, firstAt, lastAt })),
      };
    });
}

function problemOf({ names, troubles }: OpenedParsers, name: string): string | null {
  if (names.includes(name)) return null;
  return troubles.find((trouble) => trouble.name === name)?.message ?? 'there is no parser of that name here';
}
