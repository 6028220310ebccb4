import { parseArgs } from 'node:util';

export const USAGE = `npm run bench -- [options]

  --only NAME           forager, crawlee, politeness, crash, fleet, memory, claim, server, tasks,
                        bots, products, search, extraction, proxies or site (default: all but claim, server,
                        tasks, bots, products, search, extraction, proxies and site)
  --pages N             pages Forager crawls (20000)
  --peer-pages N        pages the peer crawls (3000)
  --hosts N             hosts the pages are spread over (10)
  --links N             links on a page (40)
  --kb N                size of a page (20)
  --repeat N            runs of each crawl, of which the median counts (1)
  --polite-hosts N      hosts of the politeness run (300)
  --polite-worker       politeness of \`forager worker\` instead of \`forager crawl\`
  --crash-pages N       pages of the crash run (5000)
  --kills N             SIGKILLs of the crash run (20)
  --fleet-pages N       pages one worker, then two, crawl (10000)
  --fleet-in-flight N   requests each may have open (8)
  --fleet-domains N     domains each may hold (50)
  --memory-domains N    domains of the memory run (5000)
  --memory-delay N      seconds between two requests to one of them (15)
  --claim-domains N     domains of the large database of claim (100000)
  --claim-urls N        URLs of the large database of claim (5000000)
  --claim-rounds N      claims of each number of domains, warm (200)
  --cold-claims N       the same, cold: one restart of the server each (10)
  --commit-batches N    batches committed to each database (20)
  --list-requests N     requests for page 1 and for page 1,000 of each list (300)
  --throughput-seconds N  seconds of each round of the server's throughput (5)
  --live-changes N      changes of state whose way to a subscriber is measured (100)
  --task-count N        tasks that go through a whole fleet, through PostgreSQL and through RabbitMQ (5000)
  --task-hosts N        hosts they are spread over (50)
  --task-workers N      workers of that fleet (2)
  --task-orders N       tasks handed in, taken and settled in each turn with pg-boss (10000)
  --task-turns N        turns of both, of which the median counts (3)
  --task-waiting N      tasks that wait in the large database of tasks (1000000)
  --task-rounds N       rounds on the small one and on the large one (100)
  --bot-jobs N          jobs pulled and handed in with each number at a time, in each turn with pg-boss (3000)
  --bot-turns N         turns of both, of which the median counts (3)
  --product-count N     products written new, unchanged and changed in each turn (10000)
  --product-turns N     turns of both, of which the median counts (5)
  --search-products N   products that are searched (200000)
  --search-turns N      searches of each kind (200)
  --extraction-turns N  turns of reading with and without extraction, of which the median counts (7)
  --proxy-pages N       pages crawled directly and through a proxy (10000)
  --quick               tasks, bots and search in small numbers: does everything work?
  --json                one JSON object instead of tables
`;

const ONLY = [
  'forager',
  'crawlee',
  'politeness',
  'crash',
  'fleet',
  'memory',
  'claim',
  'server',
  'tasks',
  'bots',
  'products',
  'search',
  'extraction',
  'proxies',
  'site',
];
const NUMBERS = {
  pages: 20_000,
  'peer-pages': 3000,
  hosts: 10,
  links: 40,
  kb: 20,
  repeat: 1,
  'polite-hosts': 300,
  'crash-pages': 5000,
  'proxy-pages': 10_000,
  'product-count': 10_000,
  'product-turns': 5,
  'extraction-turns': 7,
  kills: 20,
  'fleet-pages': 10_000,
  'fleet-in-flight': 8,
  'fleet-domains': 50,
  'memory-domains': 5000,
  'memory-delay': 15,
  'claim-domains': 100_000,
  'claim-urls': 5_000_000,
  'claim-rounds': 200,
  'cold-claims': 10,
  'commit-batches': 20,
  'list-requests': 300,
  'throughput-seconds': 5,
  'live-changes': 100,
  'task-count': 5000,
  'task-hosts': 50,
  'task-workers': 2,
  'task-orders': 10_000,
  'task-turns': 3,
  'task-waiting': 1_000_000,
  'task-rounds': 100,
  'bot-jobs': 3000,
  'bot-turns': 3,
  'search-products': 200_000,
  'search-turns': 200,
};

/** Throws an error whose message is a sentence for the user. */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' }])),
      only: { type: 'string' },
      'polite-worker': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.only !== undefined && !ONLY.includes(values.only)) {
    throw new Error(`--only is one of ${ONLY.join(', ')}`);
  }
  const readNumber = (name) => {
    const number = Number(values[name] ?? NUMBERS[name]);
    if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} wants a whole number above 0`);
    return number;
  };
  return {
    only: values.only,
    json: values.json,
    help: values.help,
    shape: { hosts: readNumber('hosts'), links: readNumber('links'), kb: readNumber('kb') },
    pages: readNumber('pages'),
    peerPages: readNumber('peer-pages'),
    repeat: readNumber('repeat'),
    politeHosts: readNumber('polite-hosts'),
    crashPages: readNumber('crash-pages'),
    proxyPages: readNumber('proxy-pages'),
    productCount: readNumber('product-count'),
    productTurns: readNumber('product-turns'),
    searchProducts: readNumber('search-products'),
    searchTurns: readNumber('search-turns'),
    extractionTurns: readNumber('extraction-turns'),
    kills: readNumber('kills'),
    isPoliteWorker: values['polite-worker'],
    fleetPages: readNumber('fleet-pages'),
    fleetInFlight: readNumber('fleet-in-flight'),
    fleetDomains: readNumber('fleet-domains'),
    memoryDomains: readNumber('memory-domains'),
    memoryDelay: readNumber('memory-delay'),
    claimDomains: readNumber('claim-domains'),
    claimUrls: readNumber('claim-urls'),
    claimRounds: readNumber('claim-rounds'),
    coldClaims: readNumber('cold-claims'),
    commitBatches: readNumber('commit-batches'),
    listRequests: readNumber('list-requests'),
    throughputSeconds: readNumber('throughput-seconds'),
    liveChanges: readNumber('live-changes'),
    taskCount: readNumber('task-count'),
    taskHosts: readNumber('task-hosts'),
    taskWorkers: readNumber('task-workers'),
    taskOrders: readNumber('task-orders'),
    taskTurns: readNumber('task-turns'),
    taskWaiting: readNumber('task-waiting'),
    taskRounds: readNumber('task-rounds'),
    botJobs: readNumber('bot-jobs'),
    botTurns: readNumber('bot-turns'),
    quick: values.quick,
  };
}
