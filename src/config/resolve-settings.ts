import { resolveAddresses, resolveTokens, checkAddress } from './addresses.ts';
import { isOn, outputFormat, pagerOf, splitFields, timeoutOf } from './setting-parsers.ts';
import { readProfiles, type Profiles } from './profiles.ts';
import type { Settings, SurroundingJob, GlobalFlags } from './settings.ts';
import { findSources, type Layer, type SourcedValue, type Sources } from './sources.ts';
import type { Env } from '../common/env.ts';
import { CictlError } from '../errors.ts';
import { checkFormat } from '../parse/output-format.ts';

/** Does not throw for problems with profiles and tokens, but stores them in `refusals`. */
export function resolveSettings(
  flags: GlobalFlags,
  env: Env,
  read: () => Profiles = () => readProfiles(env),
  git?: Layer,
): Settings {
  const sources = findSources(flags, env, read, git);
  const addresses = resolveAddresses(sources);
  const tokens = resolveTokens(sources, addresses);
  const defaults = defaultsOf(flags, env, sources);
  const namedProfile = flags.profile ?? (env['CICTL_PROFILE'] || undefined);
  return {
    profile: sources.profile,
    ...(namedProfile !== undefined && { namedProfile }),
    otherProfiles: sources.others,
    ...values(addresses),
    ...values(tokens.found),
    ...values(defaults.texts),
    ...surroundings(env),
    ...(defaults.output && { output: defaults.output.value }),
    requestTimeout: defaults.requestTimeout.value,
    ...switches(flags, env),
    sources: {
      profile: sources.profileSource,
      ...origins({ ...addresses, ...tokens.found, ...defaults.texts }),
      ...origins({ output: defaults.output, requestTimeout: defaults.requestTimeout }),
    },
    refusals: tokens.refusals,
  };
}

function defaultsOf(flags: GlobalFlags, env: Env, { find }: Sources) {
  const [org, pipeline] = [find('org'), find('pipeline')];
  const build = env['CICTL_BUILD'];
  const branch = env['BUILDKITE_BUILD_NUMBER'] && env['BUILDKITE_BRANCH'];
  return {
    texts: {
      ...(org && { org }),
      ...(pipeline && { pipeline }),
      ...(build && { build: { value: build, source: 'CICTL_BUILD' } }),
      ...(branch && { branch: { value: branch, source: 'BUILDKITE_BRANCH' } }),
    },
    output: outputFormat(flags, find('output')),
    requestTimeout: timeoutOf(flags, env),
  };
}

type Values<T> = { [K in keyof T]: string };

const values = <T extends Record<string, SourcedValue>>(found: T): Values<T> =>
  Object.fromEntries(Object.entries(found).map(([key, { value }]) => [key, value])) as Values<T>;

const origins = (found: Readonly<Record<string, { source: string } | undefined>>) =>
  Object.fromEntries(Object.entries(found).map(([key, from]) => [key, from?.source ?? 'default']));

function surroundings(env: Env) {
  const job = surroundingJob(env);
  if (job === undefined) return { insideJob: false };
  return { insideJob: true, surroundingJob: job, ...(job.id && { jobId: job.id }) };
}

function surroundingJob(env: Env): SurroundingJob | undefined {
  const build = env['BUILDKITE_BUILD_NUMBER'];
  if (build === undefined || build === '') return undefined;
  const org = env['BUILDKITE_ORGANIZATION_SLUG'];
  const pipeline = env['BUILDKITE_PIPELINE_SLUG'];
  const id = env['BUILDKITE_JOB_ID'];
  return { ...(org && { org }), ...(pipeline && { pipeline }), build, ...(id && { id }) };
}

function switches(flags: GlobalFlags, env: Env) {
  return {
    ...(flags.fields !== undefined && { fields: splitFields(flags.fields) }),
    ...(flags.jq !== undefined && { jq: flags.jq }),
    maxWait: flags.maxWait ?? 120_000,
    cache: flags.noCache !== true,
    color: flags.noColor === true ? false : flags.color === true ? true : undefined,
    quiet: flags.quiet === true,
    debug: flags.debug === true || isOn(env['CICTL_DEBUG']),
    input: !(flags.noInput === true || isOn(env['CICTL_NO_INPUT'])),
    pager: flags.noPager === true ? undefined : pagerOf(env),
    yes: flags.yes === true,
    dryRun: flags.dryRun === true,
  };
}

const checks: Readonly<Record<string, (value: string, name: string) => unknown>> = {
  CICTL_OUTPUT: checkFormat,
  CICTL_BASE_URL: checkAddress,
  CICTL_AGENT_URL: checkAddress,
  CICTL_GRAPHQL_URL: checkAddress,
  CICTL_REQUEST_TIMEOUT: (value) => timeoutOf({}, { CICTL_REQUEST_TIMEOUT: value }),
};

export function checkEnv(env: Env): { env: Env; errors: readonly CictlError[] } {
  const wrong = Object.keys(checks).flatMap((name) => {
    const error = errorOf(name, env[name]);
    return error === undefined ? [] : [{ name, error }];
  });
  const unset = Object.fromEntries(wrong.map(({ name }) => [name, undefined]));
  return { env: { ...env, ...unset }, errors: wrong.map(({ error }) => error) };
}

function errorOf(name: string, value: string | undefined): CictlError | undefined {
  if (!value) return undefined;
  try {
    checks[name]?.(value, name);
    return undefined;
  } catch (error) {
    if (error instanceof CictlError) return error;
    throw error;
  }
}
