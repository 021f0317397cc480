/** References that are rejected before any request, and pasted URLs. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const uuid = '0190046e-e199-453b-a302-a21a4d649d31';

/** A request that is not among the exchanges fails the test. */
async function run(args: readonly string[], exchanges: readonly Exchange[] = []) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return cictl(args, { env });
}

const jobCommands = ['view', 'log', 'env', 'retry', 'unblock', 'delete-log'];
const forms = [
  '141',
  'latest',
  'web/141',
  'acme/web/141',
  'https://ci.example/acme/web/builds/141',
];

sampled.each(jobCommands.flatMap((verb) => forms.map((text) => [verb, text] as const)))(
  'job %s %s names --build, and sends nothing',
  async (verb, text) => {
    const { stdout, stderr, exitCode } = await run(['job', verb, text]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe(
      `cictl: "${text}" is a build, not a job; add the job: JOB --build ${text}, or ${text}#JOB\n` +
        `  try: cictl job list ${text}\n`,
    );
  },
);

test('with --build, a job can be named by a number', async () => {
  const build = {
    path: '/v2/organizations/acme/pipelines/web/builds/7',
    answer: { json: { number: 7, jobs: [{ id: uuid, step_key: '141', state: 'passed' }] } },
  };
  const { stdout, exitCode } = await run(
    ['job', 'view', '141', '--build', '7', '--jq', '.id'],
    [build],
  );
  expect({ stdout, exitCode }).toEqual({ stdout: `${uuid}\n`, exitCode: 0 });
});

sampled.each(['builds view', 'builds cancel', 'builds failures', 'job list', 'annotations list'])(
  '%s with the id of a build names the list that has its number',
  async (command) => {
    const { stderr, exitCode } = await run([...command.split(' '), uuid]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `  try: cictl builds list -L 100 --jq '.[] | select(.id == "${uuid}") | .number'\n`,
    );
  },
);

sampled.each([
  [`site/${uuid}`, 'site'],
  [`other/site/${uuid}`, 'other/site'],
  [`https://ci.example/other/site/builds/${uuid}`, 'other/site'],
  [`site/${uuid.toUpperCase()}`, 'site'],
])('%s is the id of a build of a pipeline', async (text, target) => {
  const { stderr, exitCode } = await run(['builds', 'view', text]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `  try: cictl builds list ${target} -L 100 --jq '.[] | select(.id == "${uuid}") | .number'\n`,
  );
});

sampled.each([
  ['#12', '12'],
  ['site#12', 'site/12'],
  ['other/site#12', 'other/site/12'],
])('%s is %s here', async (text, meant) => {
  const { stderr, exitCode } = await run(['builds', 'watch', text]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`invalid BUILD "${text}"`);
  expect(stderr).toContain(`  try: cictl builds view ${meant}\n`);
});

const address = `https://ci.example/other/site/builds/9/steps/canvas?sid=${uuid}`;
const build: Exchange = {
  path: '/v2/organizations/other/pipelines/site/builds/9',
  answer: { json: { id: uuid, number: 9, state: 'passed', jobs: [] } },
};

sampled.each([['builds view'], ['job list'], ['annotations list']])(
  '%s takes the address of a build as it was pasted',
  async (command) => {
    const exchange = command.startsWith('annotations')
      ? {
          path: /^\/v2\/organizations\/other\/pipelines\/site\/builds\/9\/annotations/,
          answer: { json: [] },
        }
      : build;
    expect((await run([...command.split(' '), address], [exchange])).exitCode).toBe(0);
  },
);

sampled.each([['--build'], ['CICTL_BUILD']])('so does %s', async (place) => {
  const job = { id: uuid, step_key: 'unit', state: 'passed' };
  const { url } = await serve([{ ...build, answer: { json: { number: 9, jobs: [job] } } }]);
  const isFlag = place.startsWith('-');
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', ...(!isFlag && { CICTL_BUILD: address }) };
  const args = ['job', 'view', 'unit', '--jq', '.id', ...(isFlag ? ['--build', address] : [])];
  expect((await cictl(args, { env })).stdout).toBe(`${uuid}\n`);
});

sampled.each(['https://ci.example/other/site', 'https://ci.example/other/site/builds?branch=main'])(
  'builds list takes %s',
  async (text) => {
    const path = /^\/v2\/organizations\/other\/pipelines\/site\/builds\?/;
    const { exitCode } = await run(['builds', 'list', text], [{ path, answer: { json: [] } }]);
    expect(exitCode).toBe(0);
  },
);

sampled.each([
  'builds list -p acme/web',
  'builds view 12 -p acme/web',
  'builds create -p acme/web',
])('%s has an organization in the place of a pipeline', async (line) => {
  const { stderr, exitCode } = await run(line.split(' '));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('  try: --org acme --pipeline web\n');
});
