/** Figures of parsers, as ingest writes them. */
import type { TestDatabase } from './postgres.ts';

export interface PlantedHours {
  readonly domainId: number;
  readonly parser?: string;
  readonly version?: string;
  readonly hoursAgo: number;
  readonly pages?: number;
  readonly valid?: number;
  readonly partial?: number;
  readonly invalid?: number;
  readonly lost?: number;
  readonly failed?: number;
}

export async function plantParseHours({ execute }: TestDatabase, hours: PlantedHours): Promise<void> {
  const { domainId, parser = 'generic', version = '1', hoursAgo, pages = 100 } = hours;
  const { valid = 0, partial = 0, invalid = 0, lost = 0, failed = 0 } = hours;
  await execute(
    `insert into parse_hours (domain_id, parser_name, parser_version, hour, pages_count, valid_count, partial_count,
                              invalid_count, lost_count, failed_count)
     values ($1, $2, $3, date_trunc('hour', forager_now()) - make_interval(hours => $4), $5, $6, $7, $8, $9, $10)`,
    [domainId, parser, version, hoursAgo, pages, valid, partial, invalid, lost, failed],
  );
}
