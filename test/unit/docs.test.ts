/**
 * The documentation, held to the program. What can be generated is generated:
 *
 *   FORAGER_UPDATE_DOCS=1 npx vitest run test/unit/docs.test.ts
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { ROLES, scopesOfRole } from '../../src/contract/access.ts';
import { GROUPS } from '../../src/contract/endpoint.ts';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { TASK_ACTIONS } from '../../src/control/tasks/task-actions.ts';
import { CONSEQUENCES, type Consequence, type OutcomeKind } from '../../src/engine/outcome.ts';
import { configTable } from '../../src/platform/config.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const isUpdate = process.env.FORAGER_UPDATE_DOCS === '1';

const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...listMarkdown('docs')];
const program = await makeProgram();
const commands = listCommands(program);
// Making the routes touches none of the parts they will work with.
const endpoints = makeRoutes({} as ServerParts).map((route) => route.endpoint);

function listMarkdown(directory: string): string[] {
  return readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join(directory, name))
    .sort();
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The rows of the first table below a heading, each a list of cells. */
function readTable(file: string, heading: string): string[][] {
  const below = read(file).split(`\n${heading}\n`)[1] ?? '';
  const lines = below.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const cells = line.split('|').slice(1, -1);
    return cells.map((cell) => cell.trim());
  });
}

/** Compares a generated page with the committed one, or writes it. */
function expectPage(file: string, text: string): void {
  if (isUpdate) writeFileSync(path.join(root, file), text);
  expect(read(file)).toBe(text);
}

describe('generated pages', () => {
  test('the settings are those of the table in the code', () => {
    const rows = configTable({}, {}).map((line) => [`\`${line.env}\``, line.default, line.sentence]);
    expectPage(
      'docs/settings.md',
      `# Settings

Everything that can be set, by environment variable. Options of a command win over the environment; an empty
variable counts as not set. \`forager doctor\` prints the values in force and where each comes from, and
names variables that begin with FORAGER_ and are no setting. A bad value is told at start, with what it must be.

${formatTable([['Variable', 'Default', 'Meaning'], ...rows])}

Generated from [\`src/platform/settings.ts\`](../src/platform/settings.ts); see [CONTRIBUTING](../CONTRIBUTING.md#documentation).
`,
    );
  });

  test('the reference of commands is what --help prints', () => {
    const sections = commands.map(
      ({ name, command }) => `## ${name}\n\n\`\`\`\n${captureHelp(command)}\n\`\`\`\n`,
    );
    expectPage(
      'docs/cli.md',
      `# Commands

What \`--help\` prints, for every command. The options of \`forager\` itself (\`--data-dir\`, \`--json\`, \`--no-color\`)
may stand anywhere on the line. Exit codes: 0 done, 1 failed, 2 the command line is wrong, 130 stopped by a signal.

${sections.join('\n')}
Generated; see [CONTRIBUTING](../CONTRIBUTING.md#documentation).
`,
    );
  });
});

describe('the reference of the API', () => {
  test('is made of the contract: every route, who may use it, and every problem', () => {
    const groups = Object.entries(GROUPS).map(([group, about]) => {
      const rows = endpoints
        .filter((endpoint) => endpoint.group === group)
        .map(({ method, path: place, allows, summary }) => [
          `\`${method} ${place}\``,
          `${allows} (${ROLES.filter((role) => scopesOfRole(role).includes(allows)).join(', ')})`,
          summary,
        ]);
      return `## ${group}\n\n${about}.\n\n${formatTable([['Route', 'Scope (roles)', 'What it does'], ...rows])}\n`;
    });
    const problems = Object.entries(PROBLEMS).map(([code, { status, title }]) => [
      `\`${code}\``,
      String(status),
      title,
    ]);
    expectPage(
      'docs/api.md',
      `# The API

Every route of \`forager up\` and \`forager api\`. The whole contract, with every field, is the OpenAPI 3.1 document at
\`/api/openapi.json\`; \`/api/docs\` shows it to people. [The server](server.md) tells how to log in, how lists are
read and what the limits are.

${groups.join('\n')}
## Problems

A refused request is answered as \`application/problem+json\` (RFC 9457). Programs go by \`code\`; \`detail\` says what was
wrong this time, \`hint\` what to do, \`errors\` what is wrong where, and \`requestId\` finds the request in the server's log.

${formatTable([['Code', 'Status', 'Meaning'], ...problems])}

Generated from [\`src/contract/\`](../src/contract); see [CONTRIBUTING](../CONTRIBUTING.md#documentation).
`,
    );
  });
});

/** A table as the formatter wants it: columns of even width. */
function formatTable(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head, ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

function listCommands(command: Command, parents = ''): NamedCommand[] {
  const name = `${parents}${command.name()}`;
  return [{ name, command }, ...command.commands.flatMap((child) => listCommands(child, `${name} `))];
}

function captureHelp(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return help.trimEnd();
}

describe('states', () => {
  test('every legal move of a domain is in the table with its meaning, and no other is', () => {
    // The table was made anew: what counts is what was put into the last one.
    const migrations = readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.up.sql'));
    const all = migrations
      .sort()
      .map((name) => read(`migrations/${name}`))
      .join('\n');
    const last = all.split('create table domain_status_moves').at(-1) ?? '';
    const inserts = last.split(/insert into domain_status_moves\b/).slice(1);
    const legal = inserts.flatMap((text) => [
      ...(text.split(';')[0] ?? '').matchAll(/\('(\w+)', '(\w+)', '(\w+)', '([^']+)'\)/g),
    ]);
    const moves = legal.map(([, from, to, code, meaning]) => `${from} → ${to} (${code}): ${meaning}`);
    const told = readTable('docs/states.md', '## Domains').map(
      ([from, to, code, meaning]) => `${from} → ${to} (${code}): ${meaning}`,
    );
    expect(moves.length).toBeGreaterThan(0);
    expect(told.map((move) => move.replaceAll('`', '')).sort()).toEqual(moves.sort());
  });

  test('every legal move of a task is in the table as it is told, and no other is', () => {
    const inserted =
      read('migrations/0004_tasks.up.sql').split('insert into task_status_moves values')[1] ?? '';
    const legal = (inserted.split(';')[0] ?? '').matchAll(/\('(\w+)', '(\w+)', '\{([\w,]*)\}', '([^']+)'\)/g);
    const moves = [...legal].map(
      ([, from, to, via, meaning]) => `${from} → ${to} (${via?.replaceAll(',', ', ') || '–'}): ${meaning}`,
    );
    const told = readTable('docs/states.md', '## Tasks').map(
      ([from, to, via, meaning]) => `${from} → ${to} (${via}): ${meaning}`,
    );
    expect(moves.length).toBeGreaterThan(0);
    expect(told.map((move) => move.replaceAll('`', ''))).toEqual(moves);
  });

  test('what a person may do with a task is told as the table in the code has it', () => {
    const told = readTable('docs/states.md', '### What a person may do').map((cells) =>
      cells.map((cell) => cell.replaceAll('`', '').replace(', with a stored body', '')),
    );
    const states = (list: readonly string[]): string => list.join(', ');
    const coded = Object.entries(TASK_ACTIONS).flatMap(([action, { to, from, unchanged }]) => {
      const sources = from.length > 8 ? 'every other state' : states(from);
      return to === undefined ? [] : [[action, to, sources, states(unchanged)]];
    });
    expect(told).toEqual(coded);
  });

  test('every outcome is in the table with its consequences, and no other is', () => {
    const told = readTable('docs/states.md', '### How a visit ends').map((cells) => ({
      kind: cells[0],
      url: cells[2],
      breaker: cells[3],
      error: cells[4],
    }));
    const coded = Object.entries(CONSEQUENCES).map(([kind, consequence]) => ({
      kind: `\`${kind}\``,
      url: describeEnding(kind as OutcomeKind, consequence),
      breaker: consequence.breaker === 'ignore' ? 'ignored' : consequence.breaker,
      error: consequence.isError ? 'yes' : 'no',
    }));
    expect(told).toEqual(coded);
  });

  function describeEnding(kind: OutcomeKind, consequence: Consequence): string {
    if (kind === 'throttled' || kind === 'aborted') return 'due, nothing charged';
    const closed = `\`${consequence.closesAs}\``;
    return consequence.isRetryable ? `retried, then ${closed}` : closed;
  }
});

describe('guarantees', () => {
  const held = [...read('docs/guarantees.md').matchAll(/“([^”]+)” \(\[`([^`]+)`\]\(\.\.\/([^)]+)\)\)/g)].map(
    ([, title = '', label = '', file = '']) => ({ title, label, file }),
  );

  test('each names at least one test', () => {
    const chapters = read('docs/guarantees.md').split('\n### ').slice(1);
    expect(chapters.length).toBeGreaterThan(0);
    for (const chapter of chapters) expect(chapter, chapter.split('\n')[0]).toContain('](../test/');
  });

  test.each(held)('“$title” is a test of $file', ({ title, label, file }) => {
    expect(label).toBe(file);
    const source = read(file).replace(/\\u([0-9a-f]{4})|\\(['"`])/gi, (_match, hex, quote) =>
      hex === undefined ? quote : String.fromCharCode(Number.parseInt(hex, 16)),
    );
    // A group and a test in it are quoted as "group › test"; … stands for what the test fills in.
    for (const part of title.split(' › ')) {
      const words = part.split('…').map((piece) => piece.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
      expect(source).toMatch(new RegExp(`(['"\`])${words.join('.*')}\\1`));
    }
  });

  test('no link to a test goes without a quoted title', () => {
    const links = read('docs/guarantees.md').match(/\]\(\.\.\/test\//g) ?? [];
    expect(links.length).toBe(held.length);
  });
});

type Manifest = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>>;

describe('links and lists', () => {
  test.each(pages)('of %s lead somewhere', (page) => {
    const broken = findLinks(page).filter(({ target }) => !leadsSomewhere(page, target));
    expect(broken).toEqual([]);
  });

  test('every decision is in the list of decisions', () => {
    const decisions = readdirSync(path.join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
    const listed = findLinks('docs/decisions/README.md').map(({ target }) => target);
    expect(listed.sort()).toEqual(decisions.sort());
  });

  test('every dependency is in the decision about dependencies, and nothing else is', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Manifest;
    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    const rows = ['At run time:', 'For development:'].flatMap((above) =>
      readTable('docs/decisions/0010-dependencies.md', above),
    );
    const told = rows.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
    expect(told.sort()).toEqual(names.filter((name) => !name.startsWith('@types/')).sort());
  });

  function findLinks(page: string): { target: string }[] {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => ({ target }));
  }

  function leadsSomewhere(page: string, target: string): boolean {
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    if (!existsSync(path.join(root, place))) return false;
    return anchor === undefined || listAnchors(read(place)).has(anchor);
  }

  /** Headings as GitHub names them. */
  function listAnchors(markdown: string): Set<string> {
    const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
    return new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    );
  }
});

describe('commands shown', () => {
  const shown = pages
    .filter((page) => page !== 'docs/cli.md')
    .flatMap((page) => {
      const blocks = read(page).match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? [];
      const lines = blocks.flatMap((block) =>
        block.split('\n').map((line) => line.replaceAll('`', '').trim()),
      );
      return lines.flatMap((line) => {
        const found = /^(?:[A-Z_]+=\S+ )*(?:npx )?forager ([a-z-].*)$/.exec(line);
        return found === null ? [] : [{ page, line: found[1] ?? '' }];
      });
    });

  test('there are some', () => {
    expect(shown.length).toBeGreaterThan(10);
  });

  test.each(shown)('“forager $line” in $page is one the program knows', ({ line }) => {
    const words = line.split(/\s+/);
    let command = program;
    while (command.commands.length > 0 && words.length > 0 && !words[0]?.startsWith('-')) {
      const parent = command;
      // `domain status|info` names two.
      for (const name of words.shift()?.split('|') ?? []) {
        const child = parent.commands.find((candidate) => candidate.name() === name);
        expect(child?.name()).toBe(name);
        if (child !== undefined) command = child;
      }
    }
    const known = [...command.options, ...program.options].flatMap((option) => [option.long, option.short]);
    const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]);
    expect(known).toEqual(expect.arrayContaining([...given]));
  });

  test('every npm script is in package.json', () => {
    const manifest: unknown = JSON.parse(read('package.json'));
    const scripts = pages.flatMap((page) => [...read(page).matchAll(/(?:`|^)npm (?:run )?(?!ci\b)(\w+)/gm)]);
    expect(scripts.length).toBeGreaterThan(3);
    for (const [, script = ''] of scripts) expect(manifest).toHaveProperty(['scripts', script]);
  });
});
