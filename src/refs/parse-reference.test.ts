import { expect, test } from 'vitest';
import { parseBuild, parseJob, parseTarget } from './parse-reference.ts';

const uuid = '0193d7c2-5b1e-4c3a-9f00-0123456789ab';
const web = 'https://ci.example.com';
const rest = 'https://api.example.com/v2/organizations';
const full = { org: 'acme', pipeline: 'web', number: 42 };

test.each([
  ['42', { number: 42 }],
  ['latest', { number: 'latest' }],
  ['web/42', { pipeline: 'web', number: 42 }],
  ['web/latest', { pipeline: 'web', number: 'latest' }],
  ['acme/web/42', full],
  ['acme/web/latest', { ...full, number: 'latest' }],
  [`${web}/acme/web/builds/42`, { ...full, host: 'ci.example.com' }],
  [`${web}/acme/web/builds/42/`, { ...full, host: 'ci.example.com' }],
  [`${web}/acme/web/builds/42/canvas?a=b#c`, { ...full, host: 'ci.example.com' }],
  [`${web}:8080/some/path/acme/web/builds/42`, { ...full, host: 'ci.example.com:8080' }],
  [`${web}/ci/7/acme/web/builds/42`, { ...full, host: 'ci.example.com' }],
  [`${rest}/acme/pipelines/web/builds/42`, { ...full, host: 'api.example.com' }],
  [`${rest}/acme/pipelines/web/builds/42/jobs/x/log`, { ...full, host: 'api.example.com' }],
  [`${rest}/builds/pipelines/web/builds/42`, { ...full, org: 'builds', host: 'api.example.com' }],
  [` ${web}/acme/web/builds/42\n`, { ...full, host: 'ci.example.com' }],
  ['ci.example.com/acme/web/builds/42?x#y', { ...full, host: 'ci.example.com' }],
  ['127.0.0.1:8080/acme/web/builds/42', { ...full, host: '127.0.0.1:8080' }],
  [`${web}/a%20b/web/builds/42`, { ...full, org: 'a b', host: 'ci.example.com' }],
])('reads BUILD %s', (text, build) => expect(parseBuild(text)).toEqual(build));

test.each([
  '',
  'x',
  '-1',
  '4.2',
  'web/x',
  'web/',
  '/42',
  'a/b/c/42',
  '../web/42',
  'acme/../42',
  '42?x',
  '99999999999999999999',
  'ftp://ci.example.com/acme/web/builds/42',
  `${web}/acme/web`,
  `${web}/acme/web/builds/x`,
  `${rest}/acme/pipelines/web/schedules/42`,
  `${web}/a%2Fb/web/builds/42`,
  `${web}/a%zz/web/builds/42`,
  'https://',
])('%j is not a valid BUILD', (text) =>
  expect(() => parseBuild(text)).toThrow(
    /invalid (BUILD|TARGET|pipeline|organization)|is not the URL/,
  ),
);

test.each([
  ['#12', 'cictl builds view 12'],
  ['web#12', 'cictl builds view web/12'],
  ['acme/web', 'cictl builds list acme/web'],
  ['a b', 'cictl help references'],
])('for %j as BUILD, the hint is %s', (text, hint) => {
  expect(() => parseBuild(text)).toThrow(expect.objectContaining({ hint }));
});

test('rejects a build id, because the API only accepts numbers', () => {
  expect(() => parseBuild(uuid)).toThrow('the API only accepts build numbers');
});

test.each([
  ['web', { pipeline: 'web' }],
  ['acme/web', { org: 'acme', pipeline: 'web' }],
  [`${web}/acme`, { org: 'acme', host: 'ci.example.com' }],
  [`${web}/acme/web`, { org: 'acme', pipeline: 'web', host: 'ci.example.com' }],
  [`${web}/acme/web/builds?branch=x`, { org: 'acme', pipeline: 'web', host: 'ci.example.com' }],
  [`${rest}/acme`, { org: 'acme', host: 'api.example.com' }],
  [`${rest}/acme/builds`, { org: 'acme', host: 'api.example.com' }],
  [`${rest}/acme/pipelines/web`, { org: 'acme', pipeline: 'web', host: 'api.example.com' }],
])('reads TARGET %s', (text, target) => expect(parseTarget(text)).toEqual(target));

test.each(['', 'a/b/c', '/web', 'acme/', '..', 'a/..', 'web?x', 'web#x', `${web}/`, rest])(
  '%j is not a valid TARGET',
  (text) =>
    expect(() => parseTarget(text)).toThrow(
      /invalid (BUILD|TARGET|pipeline|organization)|is not the URL/,
    ),
);

test.each([
  [uuid, { job: uuid }],
  ['test', { job: 'test' }],
  ['Run: a/b (x)', { job: 'Run: a/b (x)' }],
  ['42#test', { build: { number: 42 }, job: 'test' }],
  ['web/latest#Test #2', { build: { pipeline: 'web', number: 'latest' }, job: 'Test #2' }],
  [`acme/web/42#${uuid}`, { build: full, job: uuid }],
  [`${web}/acme/web/builds/42#${uuid}`, { build: { ...full, host: 'ci.example.com' }, job: uuid }],
  [
    `${web}/acme/web/builds/42/steps/canvas?sid=1&jid=${uuid}`,
    { build: { ...full, host: 'ci.example.com' }, job: uuid },
  ],
  [
    `${rest}/acme/pipelines/web/builds/42/jobs/${uuid}/log.txt`,
    { build: { ...full, host: 'api.example.com' }, job: uuid },
  ],
])('reads JOB %s', (text, job) => expect(parseJob(text)).toEqual(job));

test.each(['', ' ', '42#', '#test', 'x#test', `${uuid}#test`, `${web}/acme/web/builds/42`])(
  '%j is not a valid JOB',
  (text) => expect(() => parseJob(text)).toThrow(/invalid|is a build|API only accepts/),
);
