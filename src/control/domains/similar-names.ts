/** Which of many names somebody may have meant: those that differ by a few letters, or contain one another. */
const MAX_NAMES = 3;

export function findSimilarNames(name: string, candidates: readonly string[]): string[] {
  const limit = Math.max(2, Math.floor(name.length / 4));
  return candidates
    .map((candidate) => ({ candidate, distance: rateDistance(name, candidate, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, MAX_NAMES)
    .map(({ candidate }) => candidate);
}

function rateDistance(name: string, candidate: string, limit: number): number {
  const isPart =
    candidate.endsWith(`.${name}`) || name.endsWith(`.${candidate}`) || sharesHost(name, candidate);
  return isPart ? 1 : editDistance(name, candidate, limit);
}

/** `localhost:8001` for `localhost:8002`, and for `localhost`. */
function sharesHost(a: string, b: string): boolean {
  return a.replace(/:\d+$/, '') === b.replace(/:\d+$/, '');
}

/** Letters to add, drop or change to get from one to the other; anything above `limit` is just "too far". */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const changed = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
