import { expect, test } from 'vitest';
import { CictlError, toExit } from '../errors.ts';
import type { Profile } from './profiles.ts';
import { requireAgentToken, requireToken, resolveSettings, type GlobalFlags } from './settings.ts';
import type { Env } from '../common/env.ts';

const profiles = {
  work: {
    baseUrl: 'https://work.example.com',
    token: 'work-token',
    agentToken: 'work-agent',
    org: 'work-org',
    pipeline: 'work-pipeline',
    output: 'yaml',
  },
  home: {
    baseUrl: 'https://home.example.com',
    agentUrl: 'https://agent.home.example.com',
    graphqlUrl: 'https://graphql.home.example.com',
    token: 'home-token',
    org: 'home-org',
  },
  bare: { org: 'bare-org' },
} satisfies Record<string, Profile>;

const settings = (flags: GlobalFlags, env: Env = {}, current: string | undefined = 'work') =>
  resolveSettings(flags, env, () => ({ current, profiles: new Map(Object.entries(profiles)) }));

const inJob = {
  BUILDKITE_BUILD_NUMBER: '7',
  BUILDKITE_ORGANIZATION_SLUG: 'job-org',
  BUILDKITE_PIPELINE_SLUG: 'job-pipeline',
  BUILDKITE_API_TOKEN: 'job-token',
  BUILDKITE_BRANCH: 'job-branch',
  BUILDKITE_JOB_ID: 'job-id',
};

test.each<[string, GlobalFlags, Env, string, string]>([
  ['flag first', { org: 'f', profile: 'home' }, { CICTL_ORG: 'e', ...inJob }, 'f', 'flag --org'],
  ['then --profile', { profile: 'home' }, { CICTL_ORG: 'e' }, 'home-org', 'profile home'],
  ['then CICTL_*', {}, { CICTL_ORG: 'e', ...inJob }, 'e', 'CICTL_ORG'],
  ['then the job', {}, inJob, 'job-org', 'BUILDKITE_ORGANIZATION_SLUG'],
  ['then CICTL_PROFILE', {}, { CICTL_PROFILE: 'home' }, 'home-org', 'profile home'],
  ['then the current profile', {}, {}, 'work-org', 'profile work'],
  [
    'CICTL_PROFILE is below CICTL_ORG',
    {},
    { CICTL_PROFILE: 'home', CICTL_ORG: 'e' },
    'e',
    'CICTL_ORG',
  ],
  [
    '--profile is above CICTL_PROFILE',
    { profile: 'home' },
    { CICTL_PROFILE: 'work' },
    'home-org',
    'profile home',
  ],
  ['an empty variable is none', {}, { CICTL_ORG: '' }, 'work-org', 'profile work'],
  [
    'outside a job BUILDKITE_* is not read',
    {},
    { ...inJob, BUILDKITE_BUILD_NUMBER: '' },
    'work-org',
    'profile work',
  ],
])('organization: %s', (_, flags, env, org, source) => {
  const found = settings(flags, env);
  expect(found.org).toBe(org);
  expect(found.sources['org']).toBe(source);
});

const [work, home] = ['https://work.example.com', 'https://home.example.com'];
const [agentHome, graphqlHome] = [
  'https://agent.home.example.com',
  'https://graphql.home.example.com',
];

test.each<[string, GlobalFlags, Env, string | undefined, string[]]>([
  ['a profile with one address', {}, {}, 'work', [work, work, work]],
  ['a profile with three', {}, {}, 'home', [home, agentHome, graphqlHome]],
  [
    'no profile',
    {},
    {},
    undefined,
    ['https://api.buildkite.com', 'https://agent.buildkite.com', 'https://graphql.buildkite.com'],
  ],
  ['a flag over three', { baseUrl: 'http://f' }, {}, 'home', ['http://f', 'http://f', 'http://f']],
  [
    'a variable over three',
    {},
    { CICTL_BASE_URL: 'http://e:1/x/' },
    'home',
    ['http://e:1/x', 'http://e:1/x', 'http://e:1/x'],
  ],
  [
    'one sibling alone',
    {},
    { CICTL_AGENT_URL: 'http://a' },
    'home',
    [home, 'http://a', graphqlHome],
  ],
  [
    'a flag and its sibling',
    { baseUrl: 'http://f', graphqlUrl: 'http://g' },
    {},
    'work',
    ['http://f', 'http://f', 'http://g'],
  ],
  [
    '--profile over variables',
    { profile: 'work' },
    { CICTL_BASE_URL: 'http://e' },
    'home',
    [work, work, work],
  ],
])('URLs: %s', (_, flags, env, current, urls) => {
  const found = resolveSettings(flags, env, () => ({
    current,
    profiles: new Map(Object.entries(profiles)),
  }));
  expect([found.baseUrl, found.agentUrl, found.graphqlUrl]).toEqual(urls);
});

test.each(['ftp://x', 'x', 'https://user:secret@x', 'https://x?a', 'https://x#a', 'javascript:x'])(
  'rejects the URL %j',
  (baseUrl) => expect(() => settings({ baseUrl })).toThrow('invalid service URL'),
);

test.each<[string, GlobalFlags, Env, string]>([
  ['the profile to its own addresses', {}, {}, 'work-token'],
  ['the environment over the current profile', {}, { CICTL_TOKEN: 'e' }, 'e'],
  ['--profile over the environment', { profile: 'home' }, { CICTL_TOKEN: 'e' }, 'home-token'],
  ['the job over the current profile', {}, inJob, 'job-token'],
  ['the environment to an address of a flag', { baseUrl: 'http://f' }, { CICTL_TOKEN: 'e' }, 'e'],
  [
    'the environment, when --profile meets an address of a flag',
    { baseUrl: 'http://f', profile: 'home' },
    { CICTL_TOKEN: 'e' },
    'e',
  ],
  ['a foreign agent address does not matter', {}, { CICTL_AGENT_URL: 'http://a' }, 'work-token'],
])('token: %s', (_, flags, env, token) => {
  expect(requireToken(settings(flags, env))).toBe(token);
});

const failure = (run: () => unknown): CictlError => {
  try {
    run();
  } catch (error) {
    if (error instanceof CictlError) return error;
  }
  throw new Error('it did not fail as it should');
};

test.each<[string, GlobalFlags, Env]>([
  ['a base URL of a flag', { baseUrl: 'http://f' }, {}],
  ['a base URL of the environment', {}, { CICTL_BASE_URL: 'http://f' }],
  ['a GraphQL URL of a flag', { graphqlUrl: 'http://f' }, {}],
  ['a base URL of a flag beside --profile', { baseUrl: 'http://f', profile: 'work' }, {}],
])("does not send a profile's token to %s", (_, flags, env) => {
  const found = settings(flags, env);
  expect(found.token).toBeUndefined();
  const error = failure(() => requireToken(found));
  expect(toExit(error)).toBe(6);
  expect(error.message).toContain('http://f');
  expect(error.hint).toBe('export CICTL_TOKEN=TOKEN');
});

test("sends a profile's agent token only to its own agent URL", () => {
  expect(requireAgentToken(settings({}))).toBe('work-agent');
  const foreign = settings({}, { CICTL_AGENT_URL: 'http://a' });
  expect(toExit(failure(() => requireAgentToken(foreign)))).toBe(6);
  expect(
    requireAgentToken(settings({}, { CICTL_AGENT_URL: 'http://a', CICTL_AGENT_TOKEN: 'e' })),
  ).toBe('e');
});

test('without a profile and token, names both next steps', () => {
  const error = failure(() => requireToken(settings({}, {}, 'bare')));
  expect(toExit(error)).toBe(6);
  expect(error.hint).toMatch(/^cictl auth login, .*: cictl local up$/);
  const chosen = failure(() => requireToken(settings({ profile: 'bare' })));
  expect(chosen.hint).toMatch(/^cictl auth login --profile bare, /);
});

test.each(['s3cr3t\nx', 's3cr3t\n', 's3cr3t\u0000', 's3cr3té', '\u001b[0ms3cr3t', ' '])(
  'rejects the token %j with exit code 2, without showing it',
  (token) => {
    const error = failure(() => requireToken(settings({}, { CICTL_TOKEN: token })));
    expect(toExit(error)).toBe(2);
    expect(error.message).toContain('CICTL_TOKEN');
    expect(error.message).not.toContain('s3cr3t');
  },
);

test('commands that need the service report a missing profile', () => {
  const found = settings({ profile: 'nobody' }, { CICTL_TOKEN: 'e' });
  expect(found.profile).toBeUndefined();
  expect(found.namedProfile).toBe('nobody');
  expect(toExit(failure(() => requireToken(found)))).toBe(2);
});

test.each<[Profile, RegExp]>([
  [{ baseUrl: 'x', token: 't' }, /invalid service URL "x" \(profile one\)/],
  [{ output: 'xml', token: 't' }, /"xml" \(profile one\)/],
])('commands that need the service report the profile %j', (profile, message) => {
  const found = resolveSettings({}, {}, () => ({
    current: 'one',
    profiles: new Map([['one', profile]]),
  }));
  const error = failure(() => requireToken(found));
  expect(error.message).toMatch(message);
  expect(toExit(error)).toBe(2);
});

test('commands that need the service report unreadable profiles', () => {
  const broken = new CictlError('machine', 'broken');
  const found = resolveSettings({}, { CICTL_TOKEN: 'e' }, () => {
    throw broken;
  });
  expect(failure(() => requireToken(found))).toBe(broken);
});

test.each<[GlobalFlags, Env, string | undefined]>([
  [{}, {}, 'yaml'],
  [{ output: 'tsv' }, { CICTL_OUTPUT: 'json' }, 'tsv'],
  [{}, { CICTL_OUTPUT: 'json' }, 'json'],
  [{ json: true }, { CICTL_OUTPUT: 'tsv' }, 'json'],
  [{ json: true, output: 'json' }, {}, 'json'],
  [{ jq: '.' }, {}, 'json'],
  [{ jq: '.', output: 'jsonl' }, {}, 'jsonl'],
  [{ jq: '.' }, { CICTL_OUTPUT: 'jsonl' }, 'jsonl'],
])('with %j and %j, the output is %s', (flags, env, output) => {
  expect(settings(flags, env).output).toBe(output);
});

test('has no default output format', () => {
  expect(settings({}, {}, 'home').output).toBeUndefined();
});

test.each<[GlobalFlags, Env, RegExp]>([
  [{ json: true, output: 'yaml' }, {}, /--json and --output yaml/],
  [{ output: 'xml' }, {}, /"xml" \(flag --output\)/],
  [{}, { CICTL_OUTPUT: 'xml' }, /"xml" \(CICTL_OUTPUT\)/],
  [{ fields: ' , ' }, {}, /--fields has no field name/],
  [{ requestTimeout: 0 }, {}, /request timeout/],
  [
    {},
    { CICTL_REQUEST_TIMEOUT: 'soon' },
    /^CICTL_REQUEST_TIMEOUT must be a duration .*, not "soon"$/,
  ],
])('%j with %j exits with 2', (flags, env, message) => {
  const error = failure(() => settings(flags, env));
  expect(error.message).toMatch(message);
  expect(toExit(error)).toBe(2);
});

test.each(['', '0', 'false', 'FALSE'])('%j turns a switch off', (value) => {
  const found = settings({}, { CICTL_DEBUG: value, CICTL_NO_INPUT: value });
  expect([found.debug, found.input]).toEqual([false, true]);
});

test.each(['1', 'true', 'yes'])('%j turns a switch on', (value) => {
  const found = settings({}, { CICTL_DEBUG: value, CICTL_NO_INPUT: value });
  expect([found.debug, found.input]).toEqual([true, false]);
});

test.each<[GlobalFlags, Env, string | undefined]>([
  [{}, {}, 'less -FRX'],
  [{}, { PAGER: 'less' }, 'less'],
  [{}, { CICTL_PAGER: 'more -s', PAGER: 'less' }, 'more -s'],
  [{}, { CICTL_PAGER: '', PAGER: 'less' }, undefined],
  [{}, { PAGER: 'cat' }, undefined],
  [{}, { PAGER: '' }, undefined],
  [{ noPager: true }, { PAGER: 'less' }, undefined],
])('with %j and %j, the pager is %s', (flags, env, pager) => {
  expect(settings(flags, env).pager?.command).toBe(pager);
});

test.each<[GlobalFlags, boolean | undefined]>([
  [{}, undefined],
  [{ color: true }, true],
  [{ noColor: true, color: true }, false],
])('with %j, color is %s', (flags, color) => {
  expect(settings(flags).color).toBe(color);
});

test.each([
  [{ CICTL_PAGER: 'more' }, true],
  [{ PAGER: 'more' }, false],
])('%j is a pager for cictl only: %s', (env, isOwn) => {
  expect(settings({}, env).pager?.isOwn).toBe(isOwn);
});

test.each<[GlobalFlags, Env, number]>([
  [{}, {}, 30_000],
  [{}, { CICTL_REQUEST_TIMEOUT: '5' }, 5000],
  [{ requestTimeout: 100 }, { CICTL_REQUEST_TIMEOUT: '5' }, 100],
])('with %j and %j, the request timeout is %d ms', (flags, env, ms) => {
  expect(settings(flags, env).requestTimeout).toBe(ms);
});

test('inside a job, knows its build, branch and id', () => {
  expect(settings({}, inJob)).toMatchObject({
    insideJob: true,
    jobId: 'job-id',
    branch: 'job-branch',
    surroundingJob: { org: 'job-org', pipeline: 'job-pipeline', build: '7', id: 'job-id' },
  });
  expect(settings({}, {}).insideJob).toBe(false);
});

test('--fields are comma-separated names', () => {
  expect(settings({ fields: 'number, pipeline.slug,' }).fields).toEqual([
    'number',
    'pipeline.slug',
  ]);
});
