// A process that uses the database of a data directory. It says what happens as lines of JSON on standard
// output and does what it is told on standard input: "query <sql>", "write <sql>", "close".
import { createInterface } from 'node:readline';
import { openDatabase } from './dist/platform/database.js';
import { inTransaction } from './dist/platform/transaction.js';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const sayError = (error) =>
  say({
    kind: 'error',
    code: error?.code,
    message: String(error?.message),
    hint: error?.hint,
    stack: error?.stack,
  });

const [dataDir] = process.argv.slice(2);

async function obey(db, line) {
  const [command, ...rest] = line.split(' ');
  const sql = rest.join(' ');
  if (command === 'query') say({ kind: 'rows', rows: (await db.query(sql)).rows });
  else if (command === 'write')
    say({ kind: 'rows', rows: (await inTransaction(db, (tx) => tx.query(sql))).rows });
  else if (command === 'url') say({ kind: 'url', url: db.url });
  else if (command === 'close') {
    await db.close();
    say({ kind: 'closed' });
  }
}

try {
  const db = await openDatabase({ dataDir, databaseUrl: undefined, databasePoolSize: 3 });
  say({ kind: 'open', url: db.url, pid: process.pid });
  for await (const line of createInterface({ input: process.stdin })) {
    await obey(db, line).catch(sayError);
    if (line === 'close') break;
  }
} catch (error) {
  sayError(error);
  process.exitCode = 1;
}
process.stdin.destroy();
