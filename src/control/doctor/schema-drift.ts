/** How a schema differs from what the migrations lead to, statement by statement. */
export interface Drift {
  /** Statements of the expected schema that the database does not have in these words. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

export function findDrift(expected: string, found: string): Drift {
  const [expectedParts, foundParts] = [splitStatements(expected), splitStatements(found)];
  return {
    missing: [...expectedParts].filter((part) => !foundParts.has(part)).map(headline),
    added: [...foundParts].filter((part) => !expectedParts.has(part) && !isDayPartition(part)).map(headline),
  };
}

function splitStatements(text: string): Set<string> {
  return new Set(
    text
      .split(/\n{2,}/)
      .map((part) => part.replace(/^(?:--[^\n]*\n?)+/, '').trim())
      .filter((part) => part !== ''),
  );
}

/** The log gets a table for every day; that is upkeep, not drift. */
function isDayPartition(statement: string): boolean {
  return /\bcrawl_log_\d{8}/.test(headline(statement));
}

function headline(statement: string): string {
  return (statement.split('\n')[0] ?? '').replace(/\s*\($/, '').slice(0, 120);
}
