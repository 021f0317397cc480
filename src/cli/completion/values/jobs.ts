/** JOB: step keys behind `BUILD#`, and the builds where none is typed yet. */
import { parseBuild, type ParsedBuild } from '../../../refs/parse-reference.ts';
import { valuesOf } from '../line.ts';
import type { Question, Value } from './ask-service.ts';
import { builds } from './builds.ts';
import { isObject, objectsOf, textIn } from './members.ts';
import type { Parts, Source } from './world.ts';

export const jobs: Source = (typed, parts) => jobsIn(() => true, typed, parts);

export const retryableJobs: Source = (typed, parts) =>
  jobsIn(({ state = '' }) => retryable.has(state), typed, parts);

export const blockedJobs: Source = (typed, parts) =>
  jobsIn(({ state }) => state === 'blocked', typed, parts);

const retryable = new Set(['failed', 'timed_out', 'canceled']);

async function jobsIn(
  isMeant: (job: Value) => boolean,
  typed: string,
  parts: Parts,
): Promise<Value[]> {
  const at = typed.indexOf('#');
  const prefix = typed.slice(0, at + 1);
  const named = at === -1 ? namedBuild(parts) : typed.slice(0, at);
  if (named === undefined) {
    return (await builds(typed, parts)).map(({ text, summary }) => ({ text: `${text}#`, summary }));
  }
  const found = await parts.ask(jobsOf(parseBuild(named), parts), typed.slice(prefix.length));
  return found.filter(isMeant).map((job) => ({ ...job, text: `${prefix}${job.text}` }));
}

/** The build of a JOB that names none; what changes something takes it from the command line alone. */
function namedBuild({ line, settings }: Parts): string | undefined {
  const [build] = valuesOf(line, 'build');
  return build ?? (line.command?.mutates === true ? undefined : settings.build);
}

/** One request, for `latest` too: a list of one. */
function jobsOf({ number, ...parsed }: ParsedBuild, { settings }: Parts): Question {
  const { org = settings.org ?? '', pipeline = settings.pipeline ?? '' } = parsed;
  const list = ['v2', 'organizations', org, 'pipelines', pipeline, 'builds'];
  const isLatest = number === 'latest';
  return {
    ...({ api: 'rest', freshFor: 10_000 } as const),
    path: isLatest ? list : [...list, number],
    ...(isLatest && { query: { per_page: 1 } }),
    pick: (response) => pickJobs(isLatest ? objectsOf(response)[0] : response),
  };
}

/** By step key where that names one job, else by id. */
function pickJobs(build: unknown): Value[] {
  const all = isObject(build) ? objectsOf(build['jobs']) : [];
  const found = all.filter((job) => textIn(job, 'type') !== 'waiter');
  const keys = found.map((job) => textIn(job, 'step_key'));
  return found.map((job, index) => {
    const key = keys[index] ?? '';
    const isUnique = key !== '' && keys.indexOf(key) === keys.lastIndexOf(key);
    const state = textIn(job, 'state');
    const summary = `${state.replaceAll('_', ' ')}  ${nameOf(job)}`;
    return { text: isUnique ? key : textIn(job, 'id'), summary, state };
  });
}

/** With its number among parallel ones. */
function nameOf(job: Readonly<Record<string, unknown>>): string {
  const name = textIn(job, 'name') || textIn(job, 'label') || textIn(job, 'step_key');
  const [index, total] = [job['parallel_group_index'], textIn(job, 'parallel_group_total')];
  return typeof index === 'number' && total !== '' ? `${name} ${index + 1}/${total}` : name;
}
