/** Sends webhooks until it is killed. Arguments: compiled modules, URL of the database, the key. */
import { pathToFileURL } from 'node:url';

const [modules, databaseUrl, secretKey] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${modules}/${name}.js`).href);
const { loadConfig } = await load('platform/config');
const { openDatabase } = await load('platform/database');
const { WebhookSender } = await load('control/webhooks/webhook-sender');
const config = loadConfig({ databaseUrl, secretKey, allowPrivate: true }, {});
new WebhookSender({ db: await openDatabase(config), config }).start();
setInterval(() => {}, 1000);
