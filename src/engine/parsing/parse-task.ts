/** A task whose body waits to be parsed, in the hands of a parser. */
import type { ClaimedDomain } from '../claim/claim-domains.ts';

type DomainRule =
  | ('domain' | 'parent_domain' | 'scope' | 'include' | 'exclude' | 'max_depth')
  | ('is_explored' | 'parser_name' | 'images_mode');

export interface ParseTask extends Pick<ClaimedDomain, DomainRule> {
  readonly id: number;
  readonly domain_id: number;
  readonly url: string;
  readonly url_hash: Buffer;
  /** Where redirects had led when it was fetched. */
  readonly final_url: string | null;
  readonly http_status: number | null;
  readonly response_time_ms: number | null;
  readonly fetched_at: Date | null;
  readonly retry_count: number;
  readonly max_retries: number;
  readonly follow_depth: number;
  readonly follow_limit: number;
  /** The segment's name; null where no row names it any more. */
  readonly segment: string | null;
  readonly segment_id: number | null;
  readonly segment_offset: number | null;
  readonly segment_length: number | null;
}

/** Tasks taken together; the number tells this taking from any other, also by a parser of the same name. */
export interface ParseLot {
  readonly number: number;
  readonly tasks: readonly ParseTask[];
}
