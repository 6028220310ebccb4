/** Figures as a line of small bars, the lowest and the highest of them as low and as high as a character is. */
const HEIGHTS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const MOST = 60;

/** The last ones, in their order; where there is no figure there is a gap. Empty for one that never changes. */
export function drawSparkline(figures: readonly (number | null)[]): string {
  const shown = figures.slice(-MOST);
  const known = shown.filter((figure) => figure !== null);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  if (known.length < 2 || lowest === highest) return '';
  return shown
    .map((figure) => {
      if (figure === null) return ' ';
      return HEIGHTS[Math.round(((figure - lowest) / (highest - lowest)) * (HEIGHTS.length - 1))];
    })
    .join('');
}
