import type { PipelineRef } from '../../api/refs.ts';
import type { Value, Parts, Source, Question } from './ask-service.ts';
import { parseBuild, type ParsedBuild } from '../../refs/parse-reference.ts';
import { valuesOf } from './line.ts';
import { git } from '../../common/git.ts';
import { agentState } from '../../api/resources/agent.ts';

export const builds: Source = async (typed, parts) => {
  const { org, pipeline } = parts.settings;
  const [first = '', second, third] = typed.split('/');
  if (second !== undefined && third !== undefined) {
    return numbers({ org: first, pipeline: second }, `${first}/${second}/`, typed, parts);
  }
  if (second !== undefined && org !== undefined && first !== org) {
    return numbers({ org, pipeline: first }, `${first}/`, typed, parts);
  }
  const isNumber = /^\d*$/.test(typed) || 'latest'.startsWith(typed);
  if (second === undefined && org !== undefined && pipeline !== undefined && isNumber) {
    return numbers({ org, pipeline }, '', typed, parts);
  }
  return references(typed, parts);
};

export const unfinishedBuilds: Source = async (typed, parts) =>
  (await builds(typed, parts)).filter(({ state = '' }) => unfinished.has(state));

const unfinished = new Set(['scheduled', 'running', 'failing', 'blocked']);

/** Builds as `PIPELINE/N`, or as `ORG/PIPELINE/N` if a slash is typed or no organization is set. */
async function references(typed: string, parts: Parts): Promise<Value[]> {
  const [first = '', second] = typed.split('/');
  const org = second === undefined ? parts.settings.org : first;
  const prefix = second === undefined ? '' : `${first}/`;
  const path = org === undefined ? ['builds'] : ['organizations', org, 'builds'];
  const toValue = buildValue(org === undefined ? fullName : shortName);
  const found = await parts.ask(listAt(path, toValue), typed.slice(prefix.length));
  return found.map((value) => ({ ...value, text: `${prefix}${value.text}` }));
}

/** Builds of a pipeline; `prefix` is the pipeline as typed. */
async function numbers(
  { org, pipeline }: PipelineRef,
  prefix: string,
  typed: string,
  { ask }: Parts,
): Promise<Value[]> {
  const toValue = buildValue((build) => textIn(build, 'number'));
  const list = listAt(buildsPath(org, pipeline), toValue, { query: { per_page: 30 } });
  const start = typed.slice(prefix.length);
  const found = await ask(list, 'latest'.startsWith(start) ? '' : start);
  const latest = found.length === 0 ? [] : [{ text: 'latest', summary: 'the newest build' }];
  return [...found, ...latest].map((value) => ({ ...value, text: `${prefix}${value.text}` }));
}

const buildValue =
  (textOf: (build: Json) => string) =>
  (build: Json): Value => {
    const state = build['blocked'] === true ? 'blocked' : textIn(build, 'state');
    const [title = ''] = textIn(build, 'message').split('\n');
    return { text: textOf(build), summary: `${state.replaceAll('_', ' ')}  ${title}`, state };
  };

const shortName = (build: Json): string =>
  `${textIn(objectIn(build, 'pipeline'), 'slug')}/${textIn(build, 'number')}`;

/** Only the URL contains the slug of the organization. */
const fullName = (build: Json): string =>
  `${/\/organizations\/([^/]+)\/pipelines\//.exec(textIn(build, 'url'))?.[1] ?? ''}/${shortName(build)}`;

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

/** The build to use if JOB does not include one. Commands that make changes never guess it. */
function namedBuild({ line, settings }: Parts): string | undefined {
  const [build] = valuesOf(line, 'build');
  return build ?? (line.command?.mutates === true ? undefined : settings.build);
}

/** Needs only one request, even if the build is `latest`. */
function jobsOf({ number, ...parsed }: ParsedBuild, { settings }: Parts): Question {
  const { org = settings.org ?? '', pipeline = settings.pipeline ?? '' } = parsed;
  const list = ['v2', ...buildsPath(org, pipeline)];
  const isLatest = number === 'latest';
  return {
    ...({ api: 'rest', freshFor: 10_000 } as const),
    path: isLatest ? list : [...list, number],
    ...(isLatest && { query: { per_page: 1 } }),
    pick: (response) => pickJobs(isLatest ? objectsOf(response)[0] : response),
  };
}

/** Step keys, or IDs if a key is not unique. */
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

function nameOf(job: Json): string {
  const name = textIn(job, 'name') || textIn(job, 'label') || textIn(job, 'step_key');
  const [index, total] = [job['parallel_group_index'], textIn(job, 'parallel_group_total')];
  return typeof index === 'number' && total !== '' ? `${name} ${index + 1}/${total}` : name;
}

/**
 * Pipelines that have builds, sorted by their newest build: `PIPELINE`, or `ORG/PIPELINE` if a
 * slash is typed or no organization is set.
 */
export const targets: Source = async (typed, parts) => {
  const newest = new Map<string, Value>();
  for (const { text, summary } of await references(typed, parts)) {
    const [, pipeline = '', number = ''] = /^(.*)\/(.*)$/.exec(text) ?? [];
    if (!newest.has(pipeline)) {
      newest.set(pipeline, { text: pipeline, summary: `${number} ${summary}` });
    }
  }
  return [...newest.values()];
};

/** Returns slugs without the organization. */
export const pipelines: Source = async (_typed, parts) =>
  (await targets('', parts)).map(({ text, ...rest }) => ({
    ...rest,
    text: text.replace(/^.*\//, ''),
  }));

/**
 * Offers pipelines; after a pipeline and a slash, builds; after `BUILD#`, jobs. If a pipeline is
 * set, also offers build numbers.
 */
export const pages: Source = async (typed, parts) => {
  const { org, pipeline } = parts.settings;
  if (typed.includes('#')) return jobs(typed, parts);
  const [first, second, third] = typed.split('/');
  if (third !== undefined || (second !== undefined && first !== org)) return builds(typed, parts);
  const found = await targets(typed, parts);
  if (second !== undefined || pipeline === undefined) return found;
  return [...found, ...(await builds(typed, parts)).filter(({ text }) => !text.includes('/'))];
};

export const contexts: Source = async (typed, parts) => {
  const build = await buildPath(parts);
  return build === undefined ? [] : parts.ask(annotationsOf(build), typed);
};

/** The build from the command line or the settings, otherwise the newest build of the branch. */
async function buildPath(parts: Parts): Promise<(string | number)[] | undefined> {
  const { line, settings } = parts;
  const [first] = line.command?.arguments['build'] === undefined ? [] : line.words;
  const named =
    valuesOf(line, 'build')[0] ?? first ?? settings.build ?? settings.surroundingJob?.build;
  const parsed = named === undefined ? undefined : parseBuild(named);
  const { org = settings.org ?? '', pipeline = settings.pipeline ?? '', number } = parsed ?? {};
  const list = buildsPath(org, pipeline);
  if (typeof number === 'number') return [...list, number];
  const branch = parsed === undefined ? await branchOf(parts) : undefined;
  if (parsed === undefined && branch === undefined) return undefined;
  const [newest] = await parts.ask(newestBuild(list, branch), '');
  return newest === undefined ? undefined : [...list, newest.text];
}

const branchOf = async ({ settings, world }: Parts): Promise<string | undefined> =>
  settings.branch ?? (await git.branch(world.cwd));

const newestBuild = (list: readonly string[], branch: string | undefined): Question =>
  listAt(list, (build) => ({ text: textIn(build, 'number'), summary: '' }), {
    query: { per_page: 1, ...(branch !== undefined && { branch: [branch] }) },
  });

const annotationsOf = (build: readonly (string | number)[]): Question =>
  listAt([...build, 'annotations'], (annotation) => {
    const words = textIn(annotation, 'body_html').replace(/<[^>]*>/g, ' ');
    return {
      text: textIn(annotation, 'context'),
      summary: `${textIn(annotation, 'style')}  ${words}`,
    };
  });

const second = 1000;
const minute = 60 * second;

export const organizations: Source = (typed, { ask }) => {
  const toValue = (org: Json): Value => ({
    text: textIn(org, 'slug'),
    summary: textIn(org, 'name'),
  });
  return ask(listAt(['organizations'], toValue, { freshFor: 10 * minute }), typed);
};

export const rules: Source = (typed, { ask, settings }) => {
  const toValue = (rule: Json): Value => ({
    text: textIn(rule, 'uuid'),
    summary: `${textIn(rule, 'type')}  ${textIn(rule, 'source_uuid')} to ${textIn(rule, 'target_uuid')}`,
  });
  const path = ['organizations', settings.org ?? '', 'rules'];
  return ask(listAt(path, toValue, { freshFor: minute }), typed);
};

/** Agents that can be stopped or paused (slots cannot). Uses IDs if agents share a name. */
export const localAgents: Source = (typed, { ask, settings }) => {
  const path = ['organizations', settings.org ?? '', 'agents'];
  const toValue = (agent: Json, _: number, all: readonly Json[]): Value => {
    const name = textIn(agent, 'name');
    const isOnly = all.filter((other) => textIn(other, 'name') === name).length === 1;
    const text = isOnly ? name : textIn(agent, 'id');
    return { text, summary: `${agentState(agent) ?? ''}  ${textIn(agent, 'hostname')}` };
  };
  const isAgent = (agent: Json): boolean => textIn(agent, 'last_seen_at') !== '';
  const pick = (response: unknown) => objectsOf(response).filter(isAgent).map(toValue);
  return ask({ ...listAt(path, toValue, { freshFor: second }), pick }, typed);
};

/** Queues that the agent registration token can see, including those without agents. */
export const queues: Source = (typed, { ask }) =>
  ask(
    {
      ...({ api: 'agent', freshFor: minute } as const),
      path: ['v3', 'metrics'],
      pick: (response) => {
        const metrics = isObject(response) ? response : {};
        const queuesOf = (name: string): Json => objectIn(objectIn(metrics, name), 'queues');
        const agents = queuesOf('agents');
        return Object.keys({ ...agents, ...queuesOf('jobs') }).map((text) => ({
          text,
          summary: `${textIn(objectIn(agents, text), 'total') || '0'} agents`,
        }));
      },
    },
    typed,
  );

function listAt(
  path: Question['path'],
  toValue: (element: Json, at: number, all: readonly Json[]) => Value,
  more: Partial<Pick<Question, 'query' | 'freshFor'>> = {},
): Question {
  return {
    ...({ api: 'rest', freshFor: 10_000, query: { per_page: 100 } } as const),
    ...{ path: ['v2', ...path], ...more },
    pick: (response) => objectsOf(response).map(toValue),
  };
}

const buildsPath = (org: string, pipeline: string): string[] => [
  ...['organizations', org, 'pipelines', pipeline, 'builds'],
];

// Responses are not validated here.

type Json = Readonly<Record<string, unknown>>;

export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

const objectIn = (object: Json, name: string): Json => {
  const value = object[name];
  return isObject(value) ? value : {};
};

function textIn(object: Json, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
