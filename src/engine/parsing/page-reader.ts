/** What parsing the bodies of one lot needs: what is known of their URLs, and where their links may lead. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { ParserRegistry } from '../extract/registry.ts';
import type { LinkContext } from '../frontier/find-links.ts';
import type { Scope } from '../frontier/scope.ts';
import { SeenFilter } from '../frontier/seen-filter.ts';
import { TemplateLedger } from '../frontier/template-ledger.ts';
import { ImageHosts, MOST_HOSTS_OF_DOMAIN } from '../images/image-hosts.ts';
import { KnownPages } from './known-pages.ts';
import type { ParseTask } from './parse-task.ts';
import type { PageReader } from './read-stored-page.ts';
import { taskPlaces } from './stored-exchange.ts';

const loadTemplates = loadSql(import.meta.url, '../claim/load-templates.sql');

/** Enough for the links of a lot; forgetting one is harmless. */
const RAW_LINKS = 50_000;
const KEY_SLOTS = 1 << 16;

export interface PageReaderParts {
  readonly db: Database;
  readonly settings: CrawlSettings;
  readonly warcDirectory: string;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  readonly scopeOf: (task: ParseTask) => Scope;
}

export interface LotReader extends PageReader {
  /** What was passed over since the last call. */
  takeTallies(): ReadonlyMap<string, number>;
  takeBackTemplate(domainId: number, template: string): void;
}

export async function openLotReader(
  { db, settings, warcDirectory, scopeOf, parsers }: PageReaderParts,
  tasks: readonly ParseTask[],
): Promise<LotReader> {
  const keys = tasks.flatMap((task) =>
    taskPlaces(task, settings).map(({ hash }) => ({ domainId: task.domain_id, hash })),
  );
  const known = await KnownPages.read(db, keys);
  const ledgers = await loadLedgers(db, tasks);
  const seen = new SeenFilter(RAW_LINKS, KEY_SLOTS);
  const links = new Map<number, LinkContext>();
  let tallies = new Map<string, number>();
  const open = (task: ParseTask): LinkContext => ({
    ...{ seen, scope: scopeOf(task), domain: task.domain, hasOwnScope: true, isExplored: task.is_explored },
    imagesMode: task.images_mode ?? settings.imagesMode,
    imageHosts: new ImageHosts(MOST_HOSTS_OF_DOMAIN),
    templates: ledgers.get(task.domain_id) ?? new TemplateLedger(),
    stripTrailingSlash: settings.stripTrailingSlash,
    tally: (name, count = 1) => void tallies.set(name, (tallies.get(name) ?? 0) + count),
  });
  return {
    ...{ settings, warcDirectory, parsers },
    knownOf: (task, { hash }) => known.get({ domainId: task.domain_id, hash }),
    linksOf: (task) => {
      const context = links.get(task.domain_id) ?? open(task);
      links.set(task.domain_id, context);
      return context;
    },
    takeTallies: () => {
      const taken = tallies;
      tallies = new Map();
      return taken;
    },
    takeBackTemplate: (domainId, template) => links.get(domainId)?.templates.takeBack(template),
  };
}

/** Of domains whose links are followed. */
async function loadLedgers(
  db: Database,
  tasks: readonly ParseTask[],
): Promise<ReadonlyMap<number, TemplateLedger>> {
  const explored = new Set(tasks.filter((task) => task.is_explored).map((task) => task.domain_id));
  if (explored.size === 0) return new Map();
  const { rows } = await db.query<{ domain_id: number; template: string; admitted_count: number }>(
    loadTemplates,
    [[...explored]],
  );
  const counts = new Map<number, [string, number][]>([...explored].map((id) => [id, []]));
  for (const row of rows) counts.get(row.domain_id)?.push([row.template, row.admitted_count]);
  return new Map([...counts].map(([id, templates]) => [id, new TemplateLedger(templates)]));
}
