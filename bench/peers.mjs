import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
export const CRAWLEE = `${HERE}peer/crawlee.mjs`;
const PEERS = ['@crawlee/cheerio', 'pg-boss'];

/** The peers are the benchmark's own dependencies: installed here, on first need, by nobody else. */
export function installPeers(say) {
  if (PEERS.every((name) => existsSync(`${HERE}node_modules/${name}/package.json`))) return;
  say('installing the peers into bench/node_modules (once)');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
