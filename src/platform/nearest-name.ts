/** Which known name somebody probably meant: the one that shares most pairs of letters with what was written. */
const LEAST_LIKENESS = 0.45;

export function findNearest(written: string, known: readonly string[]): string | undefined {
  const likenesses = known.map((name) => ({ name, likeness: compare(pairsOf(written), pairsOf(name)) }));
  likenesses.sort((a, b) => b.likeness - a.likeness);
  const [best] = likenesses;
  return best !== undefined && best.likeness >= LEAST_LIKENESS ? best.name : undefined;
}

/** 1: the same pairs; 0: none in common (Dice's coefficient). */
function compare(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let common = 0;
  for (const pair of a) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    common += 1;
  }
  return a.length + b.length === 0 ? 0 : (2 * common) / (a.length + b.length);
}

/** What all names begin with says nothing. */
function pairsOf(name: string): string[] {
  const text = name.toUpperCase().replace(/^FORAGER_/, '');
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
}
