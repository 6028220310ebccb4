/** A session ends a day after the login, used or not. */
export const SESSION_SECONDS = 24 * 60 * 60;
