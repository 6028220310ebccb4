/** Does jobs until it is killed. Arguments: compiled modules, URL of the database. */
import { pathToFileURL } from 'node:url';

const [modules, databaseUrl] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${modules}/${name}.js`).href);
const { loadConfig } = await load('platform/config');
const { openDatabase } = await load('platform/database');
const { startJobRunner } = await load('control/jobs/job-runner');
startJobRunner(await openDatabase(loadConfig({ databaseUrl }, {}))).wake();
setInterval(() => {}, 1000);
