/** Every kind of long work, by its name. */
import type { JobKindName } from '../../contract/jobs.ts';
import { deleteDomainJob } from '../domains/delete-domain.ts';
import { clearFrontierJob } from '../frontier/clear-frontier.ts';
import { purgePages } from '../pages/purge-pages.ts';
import type { JobKind } from './job-kind.ts';

/** Put together when it is asked for: a kind may be submitted by the very module that defines it. */
export function jobKinds(): readonly JobKind[] {
  return [clearFrontierJob, deleteDomainJob, purgePages];
}

export function jobKindOf(name: JobKindName): JobKind {
  const kind = jobKinds().find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no job of the kind ${name}`);
  return kind;
}
