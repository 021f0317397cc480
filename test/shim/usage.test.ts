/** The command line of `buildkite-agent`, and its errors for unexpected responses. */
import { expect, test } from 'vitest';
import { serve } from '../support/server.ts';
import { agent } from './agent.ts';
import { sampled } from '../support/full.ts';

const nowhere = 'http://127.0.0.1:9';

sampled.each([['--version'], ['-v']])(
  '%s names the public version that it is like',
  async (flag) => {
    const { stdout, exitCode } = await agent(nowhere, [flag]);
    expect(stdout).toMatch(/^buildkite-agent version \d+\.\d+\.\d+\+cictl\n$/);
    expect(exitCode).toBe(0);
  },
);

sampled.each([
  [['--help'], 'meta-data set-batch'],
  [[], 'pipeline upload'],
  [['help'], 'lock acquire'],
  [['meta-data'], 'meta-data keys'],
  [['meta-data', '--help'], 'meta-data keys'],
  [['annotate', '--help'], '--context <name>'],
  [['artifact', 'download', '-h'], 'artifact download [options...] <query> <destination>'],
  [['meta-data', 'get', 'x', '--help'], '[$BUILDKITE_JOB_ID]'],
])('%j shows help', async (args, text) => {
  const { stdout, stderr, exitCode } = await agent(nowhere, args);
  expect(stdout).toContain(text);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
});

sampled.each([
  [['nonsense'], 'unknown subcommand "nonsense"'],
  [['start'], 'unknown subcommand "start"'],
  [['meta-data', 'list'], 'unknown subcommand "meta-data list"'],
  [['annotate', '--nonsense'], 'fatal: flag provided but not defined: -nonsense'],
  [['annotate', 'x', '--style'], 'fatal: flag needs an argument: -style'],
  [['annotate', 'x', '--append=maybe'], 'fatal: invalid boolean value "maybe" for -append'],
])('%j is refused: %s', async (args, message) => {
  const { stdout, stderr, exitCode } = await agent(nowhere, args);
  expect(stderr).toContain(`buildkite-agent: ${message}`);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});

sampled.each([
  [['meta-data', 'get', '--', '-x'], '-x'],
  [['meta-data', 'get', '-job', 'J', 'x'], 'x'],
  [['meta-data', 'get', '--job=J', 'x'], 'x'],
  [['meta-data', 'get', 'x', '--debug', '--experiment', 'e', '--no-color=true'], 'x'],
])('%j is read as Go programs read it', async (args, key) => {
  const { url } = await serve([
    {
      ...{ method: 'POST', path: '/v3/jobs/J/data/get', body: { key } },
      headers: { authorization: 'Token tok' },
      answer: { json: { key, value: 'blue' } },
    },
  ]);
  expect(await agent(url, args)).toMatchObject({ stdout: 'blue', stderr: '', exitCode: 0 });
});

test('flags come from the environment, and a flag overrides it', async () => {
  const annotation = { body: 'x', context: 'c', style: 'info', append: true };
  const sent = { ...annotation, priority: 5, scope: 'build' };
  const { url } = await serve([
    {
      method: 'POST',
      path: '/v3/jobs/other%20job/annotations',
      body: sent,
      answer: { status: 201 },
    },
  ]);
  const env = {
    ...{ BUILDKITE_ANNOTATION_CONTEXT: 'c', BUILDKITE_ANNOTATION_STYLE: 'error' },
    ...{ BUILDKITE_ANNOTATION_APPEND: 'true', BUILDKITE_ANNOTATION_PRIORITY: '5' },
  };
  const args = ['annotate', 'x', '--style', 'info', '--job', 'other job'];
  expect(await agent(url, args, { env })).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
});

sampled.each([
  ['BUILDKITE_AGENT_ACCESS_TOKEN', undefined, 'BUILDKITE_AGENT_ACCESS_TOKEN is not set'],
  ['BUILDKITE_AGENT_ENDPOINT', undefined, 'BUILDKITE_AGENT_ENDPOINT is not set'],
  ['BUILDKITE_AGENT_ENDPOINT', 'nonsense', 'the endpoint nonsense is not an http:// URL'],
])('without a right %s (%s): %s', async (name, value, message) => {
  const { stderr, exitCode } = await agent(nowhere, ['meta-data', 'keys'], {
    env: { [name]: value },
  });
  expect(stderr).toContain(`buildkite-agent: fatal: ${message}`);
  expect(exitCode).toBe(1);
});

sampled.each([
  [['meta-data', 'get', 'k'], 'BUILDKITE_JOB_ID', 'job'],
  [['artifact', 'search', 'x'], 'BUILDKITE_BUILD_ID', 'build'],
  [['step', 'get'], 'BUILDKITE_STEP_ID', 'step'],
])('%j without %s names the flag that is missing', async (args, variable, flag) => {
  const { stderr, exitCode } = await agent(nowhere, args, { env: { [variable]: undefined } });
  const command = args.slice(0, 2).join(' ');
  expect(stderr).toBe(
    `buildkite-agent: Missing ${flag}. See: \`buildkite-agent ${command} --help\`\n`,
  );
  expect(exitCode).toBe(1);
});

sampled.each([
  ['nobody', undefined, 'does not respond'],
  ['a reset', { fault: 'reset' } as const, 'does not respond'],
  ['no HTTP', { raw: 'hello' }, 'the service sent an incomplete response'],
  ['no JSON', { body: '<html>' }, 'the service sent a response that is not valid JSON'],
  [
    'an error',
    { status: 500, json: { message: 'out of order' } },
    'failed to find meta-data keys: out of order',
  ],
  [
    'an error without a word',
    { status: 503, body: '' },
    'failed to find meta-data keys: status 503',
  ],
])('%s in place of an answer is one line', async (_, answer, message) => {
  const url =
    answer === undefined
      ? nowhere
      : (await serve([{ method: 'POST', path: '/v3/jobs/J/data/keys', answer }])).url;
  const { stderr, exitCode, stdout } = await agent(url, ['meta-data', 'keys']);
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(exitCode).toBe(1);
});
