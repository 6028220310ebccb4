/** One job for each of these pages; their domains are made known. */
export async function plantBotJobs(
  database: TestDatabase,
  jobs: readonly { readonly url: string; readonly maxRetries?: number }[],
): Promise<readonly number[]> {
  const ids = await plantTasks(
    database.db,
    jobs.map(({ url, maxRetries }) => ({
      url,
      status: 'pending',
      ...(maxRetries === undefined ? {} : { maxRetries }),
    })),
  );
  await database.execute(
    "update crawl_tasks set executor = 'bot', moved_by = 'test' where id = any($1::bigint[])",
    [ids],
  );
  return ids;
}
