/** Outcomes that count as an error of their domain, as the log spells them. */
import { CONSEQUENCES } from '../../engine/outcome.ts';

export const ERROR_OUTCOMES: readonly string[] = Object.entries(CONSEQUENCES)
  .filter(([, { isError }]) => isError)
  .map(([kind]) => kind);
