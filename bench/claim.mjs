/**
 * What a claim costs when little is known and when much is: the program's own function, on two databases of
 * one server that differ in size only, in turns. What was claimed goes back to the end of the queue, as a
 * domain does that has had its turn, outside the time that is measured.
 */
import {
  claimDomains,
  LEASE_MS,
  openByUrl,
  openServer,
  recordStatements,
  STANDING_RUN,
  TURN_PAGES,
} from './engine.mjs';
import { stopServer } from './forager.mjs';
import { connect, databaseUrl } from './population.mjs';
import { median, percentile } from './statistics.mjs';

export const CLAIM_LIMITS = [1, 10, 100];
const WARM_UP_LIMIT = 100;
const CLAIMER = 'bench-claimer';
const PUT_BACK = `update domains set claimed_by = null, claim_expires_at = null, yielded_at = clock_timestamp()
                   where claimed_by = '${CLAIMER}'`;

export async function benchClaim(dataDir, sizes, options, say) {
  const cold = await measureCold(dataDir, sizes, options.coldClaims, say);
  say(`claim, warm: ${options.claimRounds} rounds of ${CLAIM_LIMITS.join(', ')} domains in turns`);
  return withDatabases(dataDir, sizes, async (databases) => {
    await warmUp(databases);
    const warm = await measureRounds(databases, options.claimRounds);
    const plans = {};
    for (const database of databases) plans[database.name] = await explainClaim(database, 10);
    return { cold: describe(cold, sizes), warm: describe(warm, sizes), plans };
  });
}

/** The first claim after the server was started: its buffers are empty, the files may be in the system's. */
async function measureCold(dataDir, sizes, times, say) {
  const timings = [];
  let startedBefore;
  say(`claim, cold: ${times} restarts for each of ${CLAIM_LIMITS.join(', ')} domains`);
  for (let turn = 0; turn < times; turn += 1) {
    for (const limit of CLAIM_LIMITS) {
      await stopServer(dataDir);
      await withDatabases(dataDir, sizes, async (databases) => {
        const { rows } = await databases[0].client.query('select pg_postmaster_start_time()::text as at');
        if (rows[0].at === startedBefore) throw new Error('the server was not restarted: this is not cold');
        startedBefore = rows[0].at;
        for (const database of inTurns(databases, turn)) timings.push(await claimOnce(database, limit));
      });
    }
  }
  return timings;
}

/**
 * Every domain of the longest queue once, before anything is measured: the first change of a page after a
 * checkpoint is written to the log as a whole page, and that is what the cold figures tell.
 */
async function warmUp(databases) {
  let longest = 0;
  for (const { client } of databases) {
    const { rows } = await client.query(
      `select count(*)::int as claimable from domains
        where run_id = $1 and status in ('pending', 'active') and is_active
          and claimed_by is null and next_crawl_after is null`,
      [STANDING_RUN],
    );
    longest = Math.max(longest, rows[0].claimable);
  }
  for (let done = 0; done < longest; done += WARM_UP_LIMIT) {
    for (const database of databases) await claimOnce(database, WARM_UP_LIMIT);
  }
}

async function measureRounds(databases, rounds) {
  const timings = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const limit of CLAIM_LIMITS) {
      for (const database of inTurns(databases, round)) timings.push(await claimOnce(database, limit));
    }
  }
  return timings;
}

async function claimOnce({ name, db, client }, limit) {
  const startedAt = performance.now();
  const claimed = await claim(db, limit);
  const ms = performance.now() - startedAt;
  await client.query(PUT_BACK);
  if (claimed.length !== limit)
    throw new Error(`${name}: ${claimed.length} of ${limit} domains were claimed`);
  return { name, limit, ms };
}

function claim(db, limit) {
  return claimDomains(db, {
    runId: STANDING_RUN,
    workerId: CLAIMER,
    leaseMs: LEASE_MS,
    limit,
    order: 'score',
    maxPagesPerDomain: undefined,
    turnPages: TURN_PAGES,
    isFair: true,
    excluded: [],
  });
}

/** The claim as it was sent, once more, explained and undone. */
async function explainClaim({ db, client }, limit) {
  const statements = await recordStatements(db, (recorded) => claim(recorded, limit));
  await client.query(PUT_BACK);
  const plans = [];
  await client.query('begin');
  for (const { text, values } of statements) {
    if (/^\s*(begin|commit)/i.test(text)) continue;
    if (/^\s*set\s/i.test(text)) {
      await client.query(text);
      continue;
    }
    const { rows } = await client.query({ text: `explain (analyze, buffers) ${text}`, values });
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await client.query('rollback');
  return plans.join('\n\n');
}

/** Milliseconds by number of domains claimed at once, for each size, and how they compare. */
function describe(timings, sizes) {
  return CLAIM_LIMITS.map((limit) => {
    const [small, large] = sizes.map(({ name }) => {
      const values = timings.filter((each) => each.name === name && each.limit === limit).map(({ ms }) => ms);
      return { claims: values.length, medianMs: median(values), percentile95Ms: percentile(values, 95) };
    });
    return { limit, small, large, ratio: large.medianMs / small.medianMs };
  });
}

/** Each database goes first every other time: whoever is second finds a warmer machine. */
export function inTurns(databases, turn) {
  return Math.abs(turn) % 2 === 0 ? databases : [...databases].reverse();
}

export async function withDatabases(dataDir, sizes, work) {
  const server = await openServer(dataDir);
  const databases = [];
  try {
    for (const { name } of sizes) {
      const url = databaseUrl(server, name);
      const database = { name, db: await openByUrl(url), client: await connect(url) };
      databases.push(database);
      // Connecting is not claiming.
      await database.db.query('select 1');
    }
    return await work(databases);
  } finally {
    for (const { db, client } of databases) {
      await client.end();
      await db.close();
    }
    await server.close();
  }
}
