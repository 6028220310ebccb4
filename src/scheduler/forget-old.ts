/** What has been kept long enough goes, in portions, once an hour. */
import { takeJob } from '../engine/upkeep/take-job.ts';
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type Ground, NOTHING, type Step } from './ground.ts';

const forgetErrors = loadSql(import.meta.url, './forget-errors.sql');
const forgetDeliveries = loadSql(import.meta.url, './forget-deliveries.sql');
const forgetSchedulers = loadSql(import.meta.url, './forget-schedulers.sql');
const forgetProxyMinutes = loadSql(import.meta.url, './forget-proxy-minutes.sql');
const forgetSubmissions = loadSql(import.meta.url, './forget-submissions.sql');
const forgetBotHours = loadSql(import.meta.url, './forget-bot-hours.sql');
const forgetProductEvents = loadSql(import.meta.url, './forget-product-events.sql');
const forgetParseHours = loadSql(import.meta.url, './forget-parse-hours.sql');

const LOOK_MS = 60_000;
const JOB_SECONDS = 3600;
const PORTION = 1000;
/** Rates hold in every 60 minutes, and figures of the last hour are told: both look back over less than this. */
const PROXY_MINUTES_HOURS = 2;
/** Whoever hands the same in again within this time gets the same answer. */
const SUBMISSIONS_DAYS = 7;
const BOT_HOURS_DAYS = 30;
const PARSE_HOURS_DAYS = 90;

export function forgetOldErrors({ db, settings }: Ground): Step {
  return forget('errors forgotten', db, forgetErrors, settings.errorLogDays);
}

export function forgetOldDeliveries({ db, settings }: Ground): Step {
  return forget('deliveries forgotten', db, forgetDeliveries, settings.webhookLogDays);
}

export function forgetOldProxyMinutes({ db }: Ground): Step {
  return forget('proxy minutes forgotten', db, forgetProxyMinutes, PROXY_MINUTES_HOURS);
}

export function forgetOldSubmissions({ db }: Ground): Step {
  return forget('submissions forgotten', db, forgetSubmissions, SUBMISSIONS_DAYS);
}

export function forgetOldBotHours({ db }: Ground): Step {
  return forget('bot hours forgotten', db, forgetBotHours, BOT_HOURS_DAYS);
}

export function forgetOldProductEvents({ db, settings }: Ground): Step {
  return forget('product changes forgotten', db, forgetProductEvents, settings.productEventDays);
}

export function forgetOldParseHours({ db }: Ground): Step {
  return forget('parse hours forgotten', db, forgetParseHours, PARSE_HOURS_DAYS);
}

export function forgetOldSchedulers({ db }: Ground): Step {
  return {
    name: 'schedulers forgotten',
    everyMs: LOOK_MS,
    run: async () => {
      if (!(await takeJob(db, 'forget-schedulers', JOB_SECONDS))) return NOTHING;
      const { rowCount } = await inTransaction(db, (tx) => tx.query(forgetSchedulers));
      return { ...NOTHING, count: rowCount };
    },
  };
}

/** What is older than `age`, in the unit of the statement. */
function forget(name: string, db: Ground['db'], statement: string, age: number): Step {
  // What one tick has no time for is gone on with in the next, without being due again.
  let isUnfinished = false;
  const step: { -readonly [Field in keyof Step]: Step[Field] } = {
    name,
    everyMs: LOOK_MS,
    run: async (isTimeUp) => {
      if (!isUnfinished && !(await takeJob(db, name.replaceAll(' ', '-'), JOB_SECONDS))) return NOTHING;
      isUnfinished = true;
      let count = 0;
      do {
        const { rowCount } = await inTransaction(db, (tx) => tx.query(statement, [age, PORTION]));
        count += rowCount;
        isUnfinished = rowCount === PORTION;
      } while (isUnfinished && !isTimeUp());
      step.everyMs = isUnfinished ? 0 : LOOK_MS;
      return { ...NOTHING, count };
    },
  };
  return step;
}
