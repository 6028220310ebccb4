/** Are all settings valid? */
import { type ConfigOverrides, configTable, findUnknownVariables } from '../../platform/config.ts';
import { type Check, ok, warning, wrong } from './check.ts';

export function checkConfig(overrides: ConfigOverrides): Check[] {
  return [...checkValues(overrides), ...checkNames()];
}

/** A misspelt variable does nothing, and nobody would notice. */
function checkNames(): Check[] {
  return findUnknownVariables().map(({ env, nearest }) =>
    warning(
      'settings',
      nearest === undefined ? `${env} is no setting` : `${env} is no setting; did you mean ${nearest}?`,
      nearest === undefined ? 'remove it: it has no effect' : 'correct or remove it: it has no effect',
    ),
  );
}

function checkValues(overrides: ConfigOverrides): Check[] {
  const lines = configTable(overrides);
  const bad = lines.filter((line) => line.value.startsWith('invalid: '));
  if (bad.length > 0) {
    return bad.map((line) => {
      const place = line.source === 'command line' ? `the command line (${line.key})` : line.env;
      const value = line.value.slice('invalid: '.length);
      return wrong(
        'settings',
        `${place} is ${value}, which is not valid. ${line.sentence}`,
        'correct or remove it',
      );
    });
  }
  const changed = lines.filter((line) => line.source !== 'default');
  const names = changed.map((line) => (line.source === 'environment' ? line.env : line.key)).join(', ');
  return [ok('settings', changed.length === 0 ? 'all at their defaults' : `valid; set: ${names}`)];
}
