/**
 * The views of a schema in the words of this server. Servers keep what a view means and print it anew when asked,
 * each version in its own way: text that one version printed says the same as what another prints, in other words.
 * So each view is made once more, as a temporary one that is undone at once, and read back.
 */
import type { Database } from '../../platform/database.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import { inTransaction } from '../../platform/transaction.ts';

const readBack = "select pg_get_viewdef('pg_temp.rephrased_view'::regclass) as text";
const viewStatement = /^create view ("[^"]+"|\w+) as\n([\s\S]*?;)$/gm;

/** What cannot be made here (for want of a right, or of a column) stays as it is written. */
export async function rephraseViews(db: Database, schema: string): Promise<string> {
  let rephrased = schema;
  for (const [statement, name, definition = ''] of schema.matchAll(viewStatement)) {
    const text = await rephrase(db, definition);
    if (text !== undefined) rephrased = rephrased.replace(statement, () => `create view ${name} as\n${text}`);
  }
  return rephrased;
}

class Undone extends Error {
  readonly text: string | undefined;

  constructor(text: string | undefined) {
    super('read back; nothing of it is kept');
    this.text = text;
  }
}

async function rephrase(db: Database, definition: string): Promise<string | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await tx.query(`create temporary view rephrased_view as ${definition}`);
      const { rows } = await tx.query<{ text: string }>(readBack);
      // The only way out of a transaction that keeps nothing.
      throw new Undone(rows[0]?.text.trimEnd());
    });
  } catch (error) {
    if (error instanceof Undone) return error.text;
    if (error instanceof ConnectionLost) throw error;
    return undefined;
  }
}
