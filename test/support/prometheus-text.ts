/** Reads the text format of Prometheus (0.0.4), and accepts nothing that is not in it. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
/** What was not measured yet, and the last bucket. */
const SPECIAL = new Map([
  ['Nan', Number.NaN],
  ['NaN', Number.NaN],
  ['+Inf', Number.POSITIVE_INFINITY],
]);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
  counter: [''],
  gauge: [''],
};

export function readPrometheusText(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>();
  const series = new Set<string>();
  let current: { name: string; type: string; help: string; samples: Sample[] } | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (!NAME.test(name) || families.has(name)) throw new Error(`bad or repeated HELP: ${line}`);
      current = { name, type: '', help: rest, samples: [] };
      families.set(name, current);
    } else if (keyword === 'TYPE') {
      if (current?.name !== name || current.type !== '' || SUFFIXES[rest] === undefined) {
        throw new Error(`TYPE does not follow its HELP: ${line}`);
      }
      current.type = rest;
    } else {
      const sample = readSample(line);
      if (current === undefined || !isOf(current, sample.name))
        throw new Error(`belongs to nothing: ${line}`);
      const id = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(id)) throw new Error(`twice: ${line}`);
      series.add(id);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function isOf({ name, type }: { name: string; type: string }, sample: string): boolean {
  return (SUFFIXES[type] ?? []).some((suffix) => sample === name + suffix);
}

function readSample(line: string): Sample {
  const [, name = '', labelText = '', valueText = ''] = SAMPLE.exec(line) ?? [];
  const value = SPECIAL.get(valueText) ?? Number(valueText);
  if (name === '' || valueText === '' || (Number.isNaN(value) && !SPECIAL.has(valueText))) {
    throw new Error(`not a sample: ${line}`);
  }
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const [, label = '', text = ''] = LABEL.exec(labelText) ?? [];
    if (label === '' || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = text;
  }
  return { name, labels, value };
}

function checkFamily({ name, type, samples }: MetricFamily): void {
  if (type === '') throw new Error(`${name} has no type`);
  if (type === 'counter') {
    if (!name.endsWith('_total')) throw new Error(`the counter ${name} does not end in _total`);
    if (samples.some(({ value }) => value < 0)) throw new Error(`${name} is negative`);
  } else if (name.endsWith('_total')) throw new Error(`${name} is no counter`);
}
