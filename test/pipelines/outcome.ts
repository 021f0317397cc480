/** What became of a build, in the words in which a case expects it. */
import type { BuildExpectation } from './case-file.ts';

interface Wire {
  readonly id: string;
  readonly state: string;
  readonly exit_status: number | null;
  readonly signal: string | null;
  readonly [member: string]: unknown;
}

/** GET of the public API of the service, below the organization. */
export type Ask = (path: string) => Promise<Response>;

export interface Outcome {
  readonly build: string;
  readonly jobs: Readonly<Record<string, string | string[]>>;
  readonly order: readonly string[];
  readonly artifacts: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly meta_data: Readonly<Record<string, string>>;
  /** All that the jobs of a name have printed. */
  readonly logs: Readonly<Record<string, string>>;
}

/** Of the build at `PIPELINE/NUMBER`; artifacts and annotations only where they are asked for. */
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
    logs: await logsOf(ask, path, jobs),
  };
}

/** `key`, else the label; with its number of a parallelism, or its values of a matrix. */
function nameOf({ step_key, name, parallel_group_index: index, matrix, type }: Wire): string {
  const title = String(step_key === '' || step_key === null ? (name ?? type) : step_key);
  if (typeof index === 'number') return `${title} ${index}`;
  if (matrix === null || matrix === undefined) return title;
  return `${title} ${Object.values(matrix).join(' ')}`;
}

/** `failed 3 SIGTERM soft`: the exit status where it has not passed, and what else there is. */
function textOf({ state, exit_status: status, signal, soft_failed: soft }: Wire): string {
  const parts = [
    state,
    state === 'passed' ? null : status?.toString(),
    signal === '' ? null : signal,
    soft === true ? 'soft' : null,
  ];
  return parts.flatMap((part) => (part === null || part === undefined ? [] : [part])).join(' ');
}

/** Of those with one name a list. */
function gather<T>(all: readonly T[], name: (one: T) => string, text: (one: T) => string) {
  const groups = new Map<string, string[]>();
  for (const one of all) groups.set(name(one), [...(groups.get(name(one)) ?? []), text(one)]);
  return Object.fromEntries(
    [...groups].map(([key, texts]) => [key, texts.length === 1 ? (texts[0] ?? '') : texts]),
  );
}

const byStart = (a: Wire, b: Wire): number =>
  Date.parse(String(a['started_at'])) - Date.parse(String(b['started_at']));

async function artifactsOf(ask: Ask, path: string): Promise<Record<string, string>> {
  const all = (await json(ask, `${path}/artifacts?per_page=100`)) as Wire[];
  const texts = all.map(async (artifact) => {
    const place = `${path}/jobs/${String(artifact['job_id'])}/artifacts/${artifact.id}/download`;
    return [String(artifact['path']), await (await ask(place)).text()] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function annotationsOf(ask: Ask, path: string): Promise<Record<string, string>> {
  const all = (await json(ask, `${path}/annotations`)) as Wire[];
  return Object.fromEntries(
    all.map(({ context, style, body_html: body }) => [
      String(context),
      `${String(style)}: ${String(body)}`,
    ]),
  );
}

/** Without colours and time marks. */
async function logsOf(ask: Ask, path: string, jobs: readonly Wire[]) {
  const logs: Record<string, string> = {};
  for (const job of jobs) {
    if (job['raw_log_url'] === null || job['raw_log_url'] === undefined) continue;
    const text = await (await ask(`${path}/jobs/${job.id}/log.txt`)).text();
    logs[nameOf(job)] = `${logs[nameOf(job)] ?? ''}${plain(text)}`;
  }
  return logs;
}

const plain = (text: string): string =>
  text.replace(/\u001b_bk;t=\d+\u0007|\u001b\[[\d;]*[A-Za-z]|\r/g, '');

const json = async (ask: Ask, path: string): Promise<unknown> => {
  const response = await ask(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
