/** `forager proxy …`: the ways out. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXPORT_FORMATS, PROXY_PROTOCOLS, PROXY_STATES } from '../contract/proxies.ts';
import { positiveInteger, rowLimit } from './option-values.ts';
import { addPoolCommands } from './proxy-pool-command.ts';

const ADD_EXAMPLES = `
Examples:
  forager proxy add http://anna@proxy.example.com:8080
  printf %s "$PASSWORD" | forager proxy add socks5://anna@proxy.example.com:1080 --password-stdin
  forager proxy add https://proxy.example.com:443 --country DE --provider Acme --max-per-hour 500

Protocols: ${PROXY_PROTOCOLS.join(', ')}. With a user name and no password, one is asked for on a terminal. A password in the
URL is taken too, but others see it in the list of processes and it stays in the history of the shell. It is kept
encrypted and never shown again. Proxies on loopback and private addresses need FORAGER_PRIVATE_PROXIES.`;

const IMPORT_EXAMPLES = `
Examples:
  forager proxy import proxies.txt --country DE --provider Acme
  forager proxy import proxies.txt --domain shop.example.com --not-shared
  cat proxies.txt | forager proxy import - --json | jq 'select(.result == "refused")'

One proxy a line: protocol://user:password@host:port (%-encoded where needed), host:port, or
host:port:user:password. Empty lines and those that begin with # are passed over. Good lines are taken, bad ones are
told with their number and their reason; lines are never shown with their password. Files of any size are read as a
stream. Ends with 1 where a line was refused. With --json: one object for each line, and the sums at the end.`;

const CHECK_EXAMPLES = `
Examples:
  forager proxy check 3
  forager proxy check --all --concurrency 20
  forager proxy check 3 7 --url https://httpbin.org/ip

Asks for FORAGER_PROXY_CHECK_URL, or for --url, through each proxy, and tells what came of it. A check neither switches
a proxy on nor counts as a failure. Ends with 1 where one of them failed.`;

const SET_EXAMPLES = `
Examples:
  forager proxy set 3 --max-per-hour 200 --country DE
  forager proxy set 3 --password                # asks for it
  printf %s "$NEW" | forager proxy set 3 --password-stdin
  forager proxy set 3 --no-password
  forager proxy set 3 --provider none           # "none" removes country, city, provider, cost and user

A password is kept only where the proxy stays what it is: with another protocol, host, port or user name, give it again
or say --no-password.`;

const EXPORT_EXAMPLES = `
Examples:
  forager proxy export > proxies.txt
  forager proxy export --format csv -o proxies.csv

Never with passwords: they cannot be had again.`;

const LIST_EXAMPLES = `
Examples:
  forager proxy list --state out
  forager proxy list --country DE --json`;

const ID = 'its number';

export function addProxyCommand(program: Command): void {
  const proxy = program.command('proxy').description('proxies, and which domains use which');
  const actions = () => import('./proxy-actions.ts');
  addDetails(proxy.command('add').description('add a proxy').argument('<url>', 'protocol://user@host:port'))
    .option('--password-stdin', 'read the password from standard input')
    .option('--disabled', 'add it switched off')
    .addHelpText('after', ADD_EXAMPLES)
    .action(async (url: string, _options: unknown, command: Command) => {
      await (await actions()).addProxy(url, command);
    });
  addDetails(
    proxy
      .command('import')
      .description('add many proxies from a file')
      .argument('<file>', 'one proxy a line; "-": standard input'),
  )
    .option('--update', 'give those that are there already the password of their line, and what else is said')
    .option('--domain <domain>', 'assign all of them to this domain as well')
    .option('--yes', 'also where the last shared proxy is shared no longer by --update')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (file: string, _options: unknown, command: Command) => {
      await (await import('./proxy-import.ts')).importProxyFile(file, command);
    });
  addFilter(proxy.command('export').description('write all proxies, without their passwords'))
    .addOption(new Option('--format <format>', 'how').choices(EXPORT_FORMATS).default('lines'))
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./proxy-import.ts')).exportProxyFile(command);
    });
  addFilter(proxy.command('list').description('list proxies, the newest first'))
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await actions()).showProxies(command);
    });
  proxy
    .command('show')
    .description('show one proxy')
    .argument('<id>', ID, positiveInteger)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).showProxy(id, command);
    });
  addDetails(proxy.command('set').description('change a proxy').argument('<id>', ID, positiveInteger))
    .option('--shared', 'for all domains without a pool of their own')
    .option('--url <url>', 'where it is: protocol://user@host:port')
    .option('--user <name>', 'user name, or "none"')
    .option('--password', 'ask for a new password')
    .option('--password-stdin', 'read the new password from standard input')
    .option('--no-password', 'remove the password')
    .option('--yes', 'also where the last shared proxy is shared no longer by it')
    .addHelpText('after', SET_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).setProxy(id, command);
    });
  proxy
    .command('remove')
    .description('remove a proxy with its statistics, also from all pools')
    .argument('<id>', ID, positiveInteger)
    .option('--yes', 'also where a pool is left empty by it, or no shared proxy is left')
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await actions()).removeProxy(id, command);
    });
  proxy
    .command('check')
    .description('reach out through proxies, and tell what came of it')
    .argument('[ids...]', 'their numbers', collectIds)
    .option('--all', 'all that there are')
    .option('--active', 'all that are active')
    .option('--url <url>', 'what to ask for (default: FORAGER_PROXY_CHECK_URL)')
    .option('--concurrency <n>', 'how many at a time', atMostHundred, 10)
    .addHelpText('after', CHECK_EXAMPLES)
    .action(async (ids: number[], _options: unknown, command: Command) => {
      await (await import('./proxy-check.ts')).checkProxies(ids, command);
    });
  for (const [name, isActive, words] of [
    ['enable', true, 'switch a proxy on, and forget its failures'],
    ['disable', false, 'switch a proxy off until somebody switches it on'],
  ] as const) {
    proxy
      .command(name)
      .description(words)
      .argument('<ids...>', 'their numbers', collectIds)
      .action(async (ids: number[], _options: unknown, command: Command) => {
        await (await actions()).switchProxies(ids, isActive, command);
      });
  }
  addPoolCommands(proxy);
}

function addDetails(command: Command): Command {
  return command
    .option('--not-shared', 'only for domains to which it is assigned')
    .option('--country <code>', 'where it comes out, such as DE')
    .option('--city <name>', 'where it comes out')
    .option('--provider <name>', 'who provides it')
    .option('--monthly-cost <n>', 'what it costs a month')
    .option('--max-per-hour <n>', 'most requests in any 60 minutes, over all domains', positiveInteger);
}

function addFilter(command: Command): Command {
  return command
    .addOption(
      new Option('--state <state>', 'out: for its failures; disabled: by a person').choices(PROXY_STATES),
    )
    .option('--shared', 'only shared ones')
    .option('--not-shared', 'only those that are not shared')
    .addOption(new Option('--protocol <protocol>', 'only of this protocol').choices(PROXY_PROTOCOLS))
    .option('--country <code>', 'only of this country')
    .option('--provider <name>', 'only of this provider')
    .option('--text <text>', 'found in host, user name, provider or city');
}

export function collectIds(text: string, before: readonly number[] | undefined): number[] {
  return [...(before ?? []), positiveInteger(text)];
}

function atMostHundred(text: string): number {
  const count = positiveInteger(text);
  if (count > 100) throw new InvalidArgumentError('It must be at most 100.');
  return count;
}
