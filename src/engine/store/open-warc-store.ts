/** Opens the store for a crawl: first cuts back what writers killed on this machine left half-written. */
import { randomBytes } from 'node:crypto';
import { createWorkerId, isWorkerGone } from '../claim/worker-identity.ts';
import { repairSegments } from './repair-segments.ts';
import { createWarcStore, type WarcStore, type WarcStoreOptions } from './warc-store.ts';

/** `about` is what every segment says of the crawl that wrote it. */
export async function openWarcStore(
  directory: string,
  about: Required<Pick<WarcStoreOptions, 'software' | 'robots'>>,
): Promise<WarcStore> {
  const owner = createWorkerId();
  await repairSegments(directory, (writer) => !isWorkerGone(writer.owner));
  return createWarcStore({ directory, writerId: randomBytes(4).toString('hex'), owner, ...about });
}
