/** BUILD in all of its forms but addresses, with state and message, newest first. */
import type { PipelineRef } from '../../../api/refs.ts';
import type { Value } from './ask-service.ts';
import { objectIn, objectsOf, textIn } from './members.ts';
import type { Parts, Source } from './world.ts';

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

/** Those that can be canceled. */
export const unfinishedBuilds: Source = async (typed, parts) =>
  (await builds(typed, parts)).filter(({ state = '' }) => unfinished.has(state));

const unfinished = new Set(['scheduled', 'running', 'failing', 'blocked']);

/** `PIPELINE/N` of the organization; with a slash, or where none is known, `ORG/PIPELINE/N`. */
export async function references(typed: string, parts: Parts): Promise<Value[]> {
  const [first = '', second] = typed.split('/');
  const org = second === undefined ? parts.settings.org : first;
  const prefix = second === undefined ? '' : `${first}/`;
  const question = {
    ...({ api: 'rest', freshFor: 10_000, query: { per_page: 100 } } as const),
    path: org === undefined ? ['v2', 'builds'] : ['v2', 'organizations', org, 'builds'],
    pick: (response: unknown) => pickBuilds(response, org === undefined ? fullName : shortName),
  };
  const found = await parts.ask(question, typed.slice(prefix.length));
  return found.map((value) => ({ ...value, text: `${prefix}${value.text}` }));
}

/** The builds of a pipeline; `prefix` is what is typed of its name. */
async function numbers(
  { org, pipeline }: PipelineRef,
  prefix: string,
  typed: string,
  { ask }: Parts,
): Promise<Value[]> {
  const question = {
    ...({ api: 'rest', freshFor: 10_000, query: { per_page: 30 } } as const),
    path: ['v2', 'organizations', org, 'pipelines', pipeline, 'builds'],
    pick: (response: unknown) => pickBuilds(response, (build) => textIn(build, 'number')),
  };
  const start = typed.slice(prefix.length);
  const found = await ask(question, 'latest'.startsWith(start) ? '' : start);
  const latest = found.length === 0 ? [] : [{ text: 'latest', summary: 'the newest build' }];
  return [...found, ...latest].map((value) => ({ ...value, text: `${prefix}${value.text}` }));
}

type Build = Readonly<Record<string, unknown>>;

const pickBuilds = (response: unknown, textOf: (build: Build) => string): Value[] =>
  objectsOf(response).map((build) => {
    const state = build['blocked'] === true ? 'blocked' : textIn(build, 'state');
    const [title = ''] = textIn(build, 'message').split('\n');
    return { text: textOf(build), summary: `${state.replaceAll('_', ' ')}  ${title}`, state };
  });

const shortName = (build: Build): string =>
  `${textIn(objectIn(build, 'pipeline'), 'slug')}/${textIn(build, 'number')}`;

/** The organization stands in the address alone. */
const fullName = (build: Build): string =>
  `${/\/organizations\/([^/]+)\/pipelines\//.exec(textIn(build, 'url'))?.[1] ?? ''}/${shortName(build)}`;
