/** How figures are written. */

const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
export const bold = (text) => (isColoured ? `\u001b[1m${text}\u001b[0m` : text);
export const dim = (text) => (isColoured ? `\u001b[2m${text}\u001b[0m` : text);

export function alignTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('   '),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

export function count(value) {
  return Math.round(value).toLocaleString('en-GB');
}

export function listRatios(middle, all) {
  return `${middle.toFixed(2)} (${all.map((ratio) => ratio.toFixed(2)).join(', ')})`;
}

export function milliseconds(value) {
  return `${value.toFixed(1)} ms`;
}

export function percent(ratio) {
  return `${(ratio * 100).toFixed(1)} %`;
}
