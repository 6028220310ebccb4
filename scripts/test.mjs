// Everything that must hold before a change goes in: types, lint, then every suite. Stops at the first stage
// that fails. Arguments go to vitest: npm test -- test/unit/normalize-url.test.ts

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const packages = path.join(root, 'node_modules');
const vitestArgs = process.argv.slice(2);

const stages = [
  { name: 'types', script: 'typescript/bin/tsc', args: ['--noEmit', '-p', 'tsconfig.test.json'] },
  { name: 'lint', script: '@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'tests', script: 'vitest/vitest.mjs', args: ['run', ...vitestArgs] },
];

const done = [];
for (const stage of stages) {
  process.stdout.write(`── ${stage.name}\n`);
  const startedAt = performance.now();
  const { status, signal, error } = spawnSync(
    process.execPath,
    [path.join(packages, stage.script), ...stage.args],
    { cwd: root, stdio: 'inherit' },
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const isPassed = status === 0;
  done.push(`${isPassed ? 'passed' : 'FAILED'}  ${stage.name}  (${seconds} s)`);
  if (isPassed) continue;
  const why = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  process.stdout.write(`\n${done.join('\n')}\n`);
  process.stderr.write(`forager: the stage "${stage.name}" failed (${why}); see its output above\n`);
  process.exit(status || 1);
}
process.stdout.write(`${done.join('\n')}\n`);
