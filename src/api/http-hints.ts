/**
 * Control says what to do in the words of the command line. Whoever asks over HTTP may have none: where there is a
 * request for the same, it is named instead.
 */
const REQUESTS: Readonly<Record<string, string>> = {
  'domain status': 'GET /api/domains',
  'domain set': 'PATCH /api/admin/domains/<name>',
  'domain info': 'GET /api/domains/<name>',
  'page list': 'GET /api/pages',
  'task list': 'GET /api/admin/tasks',
  'product list': 'GET /api/products',
  'policy list': 'GET /api/admin/policies',
  'batch list': 'GET /api/admin/batches',
  'task restart': 'POST /api/admin/tasks/<id>/restart',
  'task resume': 'POST /api/admin/tasks/<id>/resume',
  'task set': 'PATCH /api/admin/tasks/<id>',
  'task show': 'GET /api/admin/tasks/<id>',
  'batch resume': 'POST /api/admin/batches/<id>/resume',
  'domain resume': 'POST /api/admin/domains/<name>/resume',
  'policy run': 'POST /api/admin/policies/<id>/run',
  'dead-letter list': 'GET /api/admin/dead-letters',
  'webhook list': 'GET /api/admin/webhooks',
  'webhook deliveries': 'GET /api/admin/webhooks/<id>/deliveries',
  'bot list': 'GET /api/admin/bots',
  'bot add': 'POST /api/admin/bots',
  'parser list': 'GET /api/parsers',
  'parser show': 'GET /api/parsers/<name>',
  'proxy list': 'GET /api/admin/proxies',
  'proxy set': 'PATCH /api/admin/proxies/<id>',
  'proxy pool': 'GET /api/admin/domains/<name>/proxies',
  'webhook enable': 'PATCH /api/admin/webhooks/<id> with isEnabled true',
  // An account that nobody can log in to any more needs the command line.
  'user unlock': 'POST /api/admin/users/<name>/unlock, or "forager user unlock" on the server,',
  'user passwd': 'POST /api/admin/users/<name>/password, or "forager user passwd" on the server,',
};

/** What an option of a command is in the body of the request. */
const OPTIONS: Readonly<Record<string, string>> = {
  '--no-parent': ' with parentTaskId null',
  '--proxy-mode required': ' with proxyMode required',
};

export function hintOverHttp(hint: string): string {
  return hint
    .replaceAll(/"forager ([^"]+)"/g, (command, words: string) => REQUESTS[words] ?? fillIn(words) ?? command)
    .replace(/--yes$/, 'confirm=true');
}

/** `task restart 7`: what follows the command is what it is about, and stands in the path. */
function fillIn(words: string): string | undefined {
  const [, command = '', subject = '', option] = /^(\w+ \w+) (\S+)(?: (--\S+(?: \S+)?))?$/.exec(words) ?? [];
  const request = REQUESTS[command]?.replace(/<(?:id|name)>/, encodeURIComponent(subject));
  return request === undefined || option === undefined ? request : `${request}${OPTIONS[option] ?? ''}`;
}
