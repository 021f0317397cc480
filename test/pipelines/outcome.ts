/** The outcome of a build, in the notation of the case files. */
import type { BuildExpectation } from './case-file.ts';
import { annotationsOf, artifactsOf, logsOf } from './outcome-texts.ts';
import { json, type Ask, type Wire } from './ask.ts';

export interface Outcome {
  readonly build: string;
  readonly jobs: Readonly<Record<string, string | string[]>>;
  readonly order: readonly string[];
  readonly artifacts: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly meta_data: Readonly<Record<string, string>>;
  /** The combined output of jobs with the same name. */
  readonly logs: Readonly<Record<string, string>>;
}

/** The outcome of the build `PIPELINE/NUMBER`; reads artifacts and annotations only if expected. */
export async function outcomeOf(ask: Ask, ref: string, asked: BuildExpectation): Promise<Outcome> {
  const path = `/pipelines/${ref.replace('/', '/builds/')}`;
  const build = (await json(ask, `${path}?include_retried_jobs=true`)) as Wire;
  const jobs = (build['jobs'] as Wire[]).filter(({ type }) => type !== 'waiter');
  const scripts = jobs.filter(({ started_at }) => started_at !== null && started_at !== undefined);
  return {
    build: build.state,
    jobs: gather(jobs, nameOf, textOf),
    order: scripts.sort(byStart).map(nameOf),
    artifacts: asked.artifacts ? await artifactsOf(ask, path) : {},
    annotations: asked.annotations ? await annotationsOf(ask, path) : {},
    meta_data: (build['meta_data'] ?? {}) as Record<string, string>,
    logs: await logsOf(ask, path, jobs, nameOf),
  };
}

/** The `key` or label, with the index of a parallel job or the values of a matrix. */
function nameOf({ step_key, name, parallel_group_index: index, matrix, type }: Wire): string {
  const title = String(step_key === '' || step_key === null ? (name ?? type) : step_key);
  if (typeof index === 'number') return `${title} ${index}`;
  if (matrix === null || matrix === undefined) return title;
  return `${title} ${Object.values(matrix).join(' ')}`;
}

/** `failed 3 SIGTERM soft`: the state, the exit status unless it passed, and other facts. */
function textOf({ state, exit_status: status, signal, soft_failed: soft }: Wire): string {
  const parts = [
    state,
    state === 'passed' ? null : status?.toString(),
    signal === '' ? null : signal,
    soft === true ? 'soft' : null,
  ];
  return parts.flatMap((part) => (part === null || part === undefined ? [] : [part])).join(' ');
}

/** A list for jobs with the same name. */
function gather<T>(all: readonly T[], name: (one: T) => string, text: (one: T) => string) {
  const groups = new Map<string, string[]>();
  for (const one of all) groups.set(name(one), [...(groups.get(name(one)) ?? []), text(one)]);
  return Object.fromEntries(
    [...groups].map(([key, texts]) => [key, texts.length === 1 ? (texts[0] ?? '') : texts]),
  );
}

const byStart = (a: Wire, b: Wire): number =>
  Date.parse(String(a['started_at'])) - Date.parse(String(b['started_at']));
