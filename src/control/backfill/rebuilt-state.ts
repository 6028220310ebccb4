/**
 * The state of a domain of which only its rows are left: blocked if more than half of the fetches in the log were
 * answered with a status of 400 or above, exhausted otherwise, and pending if it was never fetched. The reason is
 * the kind of answer that came most often; what is none of them (404, 410 …) counts as being refused. It rests as
 * long as if it had been settled so after its last visit, so that refresh and cooldown take it up from there.
 */
import { COOLDOWN_MS } from '../../engine/claim/settle-domain.ts';

export interface LogFigures {
  readonly fetches: number;
  readonly failures: number;
  readonly refusals: number;
  readonly throttles: number;
  readonly serverErrors: number;
  /** When it was last read, whether the log still knows of it or not. */
  readonly lastAt: string | null;
}

export interface RebuiltState {
  readonly status: 'pending' | 'exhausted' | 'blocked';
  readonly code: 'seeded' | 'all_done' | 'forbidden' | 'rate_limited' | 'server_errors';
  readonly reason: string | undefined;
  readonly restMs: number | undefined;
}

export function rebuildState(figures: LogFigures): RebuiltState {
  const { fetches, failures, lastAt } = figures;
  if (lastAt === null) return { status: 'pending', code: 'seeded', reason: undefined, restMs: undefined };
  if (failures <= fetches / 2) {
    return { status: 'exhausted', code: 'all_done', reason: undefined, restMs: COOLDOWN_MS.refresh };
  }
  const code = commonestFailure(figures);
  const reason = `${failures} of ${fetches} fetches in the log were answered with status 400 or above`;
  return { status: 'blocked', code, reason, restMs: COOLDOWN_MS[code] };
}

function commonestFailure(figures: LogFigures): 'forbidden' | 'rate_limited' | 'server_errors' {
  const { failures, refusals, throttles, serverErrors } = figures;
  const others = failures - refusals - throttles - serverErrors;
  const most = Math.max(refusals, throttles, serverErrors, others);
  if (most === refusals || most === others) return 'forbidden';
  return most === throttles ? 'rate_limited' : 'server_errors';
}
