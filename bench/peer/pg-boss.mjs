/** Another queue on PostgreSQL, with its own bulk calls and everything else as it comes. */
import PgBoss from 'pg-boss';

const QUEUE = 'crawl';

export async function openPgBoss(connectionString, connections = 2) {
  // Without its upkeep, which would come in between at times: archiving, and the clock of its schedules.
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false, max: connections });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(QUEUE);
  return {
    enqueue: (urls) => boss.insert(urls.map((url) => ({ name: QUEUE, data: { url } }))),
    /** The ids of what was taken. */
    take: async (most) => (await boss.fetch(QUEUE, { batchSize: most })).map(({ id }) => id),
    complete: (ids) => boss.complete(QUEUE, ids),
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}
