/**
 * Control says what to do in the words of the command line. Whoever asks over HTTP may have none: where there is a
 * request for the same, it is named instead.
 */
const REQUESTS: Readonly<Record<string, string>> = {
  'domain status': 'GET /api/domains',
  'domain info': 'GET /api/domains/<name>',
  'page list': 'GET /api/pages',
  'task list': 'GET /api/admin/tasks',
  'policy list': 'GET /api/admin/policies',
  'batch list': 'GET /api/admin/batches',
  'dead-letter list': 'GET /api/admin/dead-letters',
  'webhook list': 'GET /api/admin/webhooks',
  'webhook deliveries': 'GET /api/admin/webhooks/<id>/deliveries',
  'webhook enable': 'PATCH /api/admin/webhooks/<id> with isEnabled true',
  // An account that nobody can log in to any more needs the command line.
  'user unlock': 'POST /api/admin/users/<name>/unlock, or "forager user unlock" on the server,',
  'user passwd': 'POST /api/admin/users/<name>/password, or "forager user passwd" on the server,',
};

export function hintOverHttp(hint: string): string {
  return hint.replaceAll(/"forager ([^"]+)"/g, (command, words: string) => REQUESTS[words] ?? command);
}
