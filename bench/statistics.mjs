export function median(values) {
  return percentile(values, 50);
}

/** Nearest rank, with the mean of the middle two for an even median. */
export function percentile(values, percent) {
  const sorted = [...values].sort((one, other) => one - other);
  if (sorted.length === 0) return Number.NaN;
  if (percent === 50 && sorted.length % 2 === 0) {
    return (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  }
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1))];
}
