/** The run that every domain belongs to that is in no crawl of its own. It has no end, and no counters of its own. */
export const STANDING_RUN = 0;
