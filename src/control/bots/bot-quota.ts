/** A bot that has all it may have, and when that changes. */
import { ForagerError } from '../../platform/errors.ts';

export class BotQuota extends ForagerError {
  readonly retryAfterSeconds: number;

  constructor(sentence: string, hint: string, retryAfterSeconds: number) {
    super('bot-quota', sentence, { hint });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function tooManyHeld(maxLocks: number): BotQuota {
  return new BotQuota(
    `The bot holds ${maxLocks} jobs, as many as it may.`,
    'hand in what became of them before pulling more',
    HELD_SECONDS,
  );
}

export function hourIsFull(maxJobsPerHour: number, secondsLeft: number): BotQuota {
  return new BotQuota(
    `The bot has had ${maxJobsPerHour} jobs since the full hour, as many as it may.`,
    'wait as Retry-After says',
    Math.max(1, secondsLeft),
  );
}

/** How soon a job is handed in is the bot's own affair. */
const HELD_SECONDS = 5;
