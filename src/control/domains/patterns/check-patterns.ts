/** Patterns for the links of a domain: they compile, and no URL makes them take for ever. */
import { compilePattern } from '../../../engine/frontier/scope.ts';
import { ForagerError } from '../../../platform/errors.ts';
import { PatternProblem, parsePattern } from './parse-pattern.ts';
import { weighPattern } from './weigh-pattern.ts';

/** What is wrong with it; undefined: nothing. */
export function findPatternProblem(text: string): string | undefined {
  const compiled = compilePattern(text);
  if (compiled.kind === 'bad') return compiled.message;
  try {
    weighPattern(parsePattern(text));
    return undefined;
  } catch (error) {
    if (error instanceof PatternProblem) return error.message;
    throw error;
  }
}

export function checkPatterns(field: string, patterns: readonly string[] | null | undefined): void {
  for (const [index, text] of (patterns ?? []).entries()) {
    const problem = findPatternProblem(text);
    if (problem === undefined) continue;
    throw new ForagerError('bad-pattern', `${field}[${index}], "${text.slice(0, 100)}": ${problem}.`, {
      hint: 'workers hold it against every link they find, so that none may take long on any URL',
    });
  }
}
