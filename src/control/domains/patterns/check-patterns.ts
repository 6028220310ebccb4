/** Patterns for the links of a domain: they compile, and no URL makes them take for ever. */
import { withoutLead } from '../../../engine/frontier/domain-scope.ts';
import { compilePattern } from '../../../engine/frontier/scope.ts';
import { ForagerError } from '../../../platform/errors.ts';
import { PatternProblem, parsePattern } from './parse-pattern.ts';
import { weighPattern } from './weigh-pattern.ts';

const MOST_PATTERNS = 20;
/** All of one list together, on one URL; a domain has two lists. */
const MOST_STEPS_OF_LIST = 20_000_000;

export type PatternWeight =
  | { readonly kind: 'ok'; readonly steps: number }
  | { readonly kind: 'bad'; readonly problem: string };

/** The most steps it can take on any URL, or what is wrong with it. */
export function weighPatternText(text: string): PatternWeight {
  const compiled = compilePattern(text);
  if (compiled.kind === 'bad') return { kind: 'bad', problem: compiled.message };
  try {
    return { kind: 'ok', steps: weighPattern(parsePattern(withoutLead(text))) };
  } catch (error) {
    if (error instanceof PatternProblem) return { kind: 'bad', problem: error.message };
    throw error;
  }
}

export function checkPatterns(field: string, patterns: readonly string[] | null | undefined): void {
  const hint = 'workers hold them against every link they find, so that none may take long on any URL';
  const list = patterns ?? [];
  if (list.length > MOST_PATTERNS) {
    throw new ForagerError('bad-pattern', `${field} has more than ${MOST_PATTERNS} patterns.`, { hint });
  }
  let steps = 0;
  for (const [index, text] of list.entries()) {
    const weight = weighPatternText(text);
    if (weight.kind === 'bad') {
      const where = `${field}[${index}], "${text.slice(0, 100)}"`;
      throw new ForagerError('bad-pattern', `${where}: ${weight.problem}.`, { hint });
    }
    steps += weight.steps;
  }
  if (steps > MOST_STEPS_OF_LIST) {
    throw new ForagerError('bad-pattern', `The patterns of ${field} would take too long together.`, {
      hint: 'write fewer with ".*" and the like in them, or begin them with "^https://"',
    });
  }
}
