/** The results of `builds stats`. docs/stats.md describes each field. */
import {
  inside,
  listOf,
  orNull,
  type Complete,
  columnsAt,
  integer,
  json,
  member,
  prose,
  part,
  resource,
} from '../api/resources/resource.ts';

const textOrNull = orNull<string>('text');
const numberOrNull = orNull<number>('integer');
const timeOrNull = orNull<string>('time');

const spread = part({ median: numberOrNull(), p90: numberOrNull() });

const figures = {
  runs: integer(),
  passed: integer(),
  failed: integer(),
  pass_rate: numberOrNull(),
  duration: inside(spread),
  waited: inside(spread),
  trend: member<readonly number[]>('list')(),
  pass_trend: member<readonly number[]>('list')(),
};

const buildFigures = part({ ...figures, others: integer(), from: timeOrNull(), to: timeOrNull() });

const stepFigures = part({
  pipeline: textOrNull(),
  step_key: textOrNull(),
  name: orNull<string>('prose')(),
  ...figures,
  critical_share: numberOrNull(),
  retried: integer(),
  flaky: integer(),
});

const attempt = part({
  number: integer(),
  job_id: textOrNull(),
  web_url: orNull<string>('url')(),
});

const example = part({
  by: member<'retry' | 'commit'>('text')(),
  commit: textOrNull(),
  failed: inside(attempt),
  passed: inside(attempt),
});

const flakyStep = part({
  pipeline: textOrNull(),
  step_key: textOrNull(),
  name: prose(),
  count: integer(),
  examples: listOf(example),
});

type Row = Readonly<Record<string, unknown>>;
const stepOf = (row: Row): Step => row['steps'] as Step;

/** The columns describe one row per step, below a first row for whole builds. */
export const statsResource = resource({
  name: 'statistics',
  plural: 'steps',
  members: {
    organization: textOrNull(),
    pipeline: textOrNull(),
    branches: json(),
    builds: inside(buildFigures),
    steps: listOf(stepFigures),
    flaky: listOf(flakyStep),
  },
  columns: [
    {
      ...{ path: 'steps.name', heading: 'STEP', stays: true, least: 12, priority: 0 },
      text: (row) => stepOf(row).name ?? 'all builds',
    },
    {
      ...{ path: 'steps.pass_rate', heading: 'PASSED', priority: 1 },
      text: (row) => percent(stepOf(row).pass_rate),
    },
    { path: 'steps.duration.median', heading: 'TOOK', show: 'took', priority: 2 },
    { path: 'steps.duration.p90', heading: 'P90', show: 'took', priority: 4 },
    { path: 'steps.waited.median', heading: 'WAITED', show: 'took', priority: 5 },
    { path: 'steps.waited.p90', heading: 'WAIT P90', show: 'took', priority: 7 },
    {
      ...{ path: 'steps.critical_share', heading: 'PATH', priority: 3 },
      text: (row) => percent(stepOf(row).critical_share),
    },
    {
      ...{ path: 'steps.flaky', heading: 'FLAKY', priority: 6 },
      text: (row) => (stepOf(row).flaky > 0 ? String(stepOf(row).flaky) : undefined),
    },
    {
      ...{ path: 'steps.trend', heading: 'TREND', priority: 8 },
      text: (row) => sparkline(stepOf(row).trend),
    },
  ],
  tsv: columnsAt(
    ...['steps.name', 'steps.step_key', 'steps.pipeline', 'steps.runs', 'steps.passed'],
    ...['steps.failed', 'steps.pass_rate', 'steps.duration.median', 'steps.duration.p90'],
    ...['steps.waited.median', 'steps.waited.p90', 'steps.critical_share', 'steps.flaky'],
  ),
});

export type Stats = Complete<typeof statsResource>;
export type Step = Complete<typeof stepFigures>;
export type FlakyStep = Complete<typeof flakyStep>;
export type Example = Complete<typeof example>;

/** Formats a fraction from 0 to 1. Only 1 becomes `100%`, and only 0 becomes `0%`. */
export function percent(share: number | null): string | undefined {
  if (share === null) return undefined;
  if (share > 0 && share < 0.005) return '<1%';
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100}%`;
}

const bars = '▁▂▃▄▅▆▇█';

const most = 10;

/** Draws bars from 0 to the maximum. Averages many values. Undefined for fewer than two values. */
export function sparkline(values: readonly number[]): string | undefined {
  if (values.length < 2) return undefined;
  const shown = fewer(values);
  const top = Math.max(...shown);
  const heightOf = (value: number): number =>
    top <= 0 ? 0 : Math.min(bars.length - 1, Math.floor((value / top) * bars.length));
  return shown.map((value) => bars.charAt(heightOf(value))).join('');
}

function fewer(values: readonly number[]): readonly number[] {
  if (values.length <= most) return values;
  const start = (index: number): number => Math.floor((index * values.length) / most);
  return Array.from({ length: most }, (_, index) => {
    const part = values.slice(start(index), start(index + 1));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
