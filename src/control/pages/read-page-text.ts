/** What a visitor sees of a page, from its kept body. Bounded: it is made while others wait for their answers. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { findPage } from './find-page.ts';
import { readPageBody, visibleTextOf } from './read-page-body.ts';
import { explainMissingBody } from './why-no-body.ts';

const MOST_BODY_BYTES = 2 * 1024 * 1024;
const MOST_TEXT_CHARS = 1024 * 1024;

export interface PageText {
  readonly id: number;
  readonly url: string;
  readonly text: string;
  readonly isTruncated: boolean;
}

export async function readPageText(db: Database, warcDirectory: string, id: number): Promise<PageText> {
  const page = await findPage(db, String(id));
  const { url } = page;
  if (page.segment === null) throw new ForagerError('body-not-kept', await explainMissingBody(db, page));
  if (page.contentLength > MOST_BODY_BYTES) {
    const megabytes = (page.contentLength / 1024 / 1024).toFixed(1);
    throw new ForagerError('page-too-large', `${url} is ${megabytes} MB, and 2 MB are the most shown here.`, {
      hint: `"forager page show ${id} --visible-text" on the machine that has the bodies shows it whatever its size`,
    });
  }
  const body = await readPageBody(warcDirectory, page, MOST_BODY_BYTES);
  if (body.kind !== 'kept') {
    // What exactly is wrong with which file is for whoever looks after the machine.
    throw new ForagerError(
      'body-unreadable',
      `The body of ${url} was kept, but its file is not on this machine, or is damaged.`,
      {
        hint: 'bodies lie in the data directory of the machine that crawled; "forager doctor" there checks them',
      },
    );
  }
  const text = visibleTextOf(body);
  return { id, url, text: cut(text), isTruncated: text.length > MOST_TEXT_CHARS };
}

/** Not within a character that takes two places. */
function cut(text: string): string {
  if (text.length <= MOST_TEXT_CHARS) return text;
  const last = text.charCodeAt(MOST_TEXT_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MOST_TEXT_CHARS - 1 : MOST_TEXT_CHARS);
}
