/** If two arguments read standard input, nothing is sent. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { serve } from '../support/server.ts';

test.each([
  [['api', 'x', '-F', 'a=@-', '-F', 'b=@-'], '-F a', '-F b'],
  [['api', 'x', '-X', 'GET', '-F', 'a=@-', '-F', 'b=@-'], '-F a', '-F b'],
  [['graphql', '-', '--variables', '@-'], 'QUERY', '--variables'],
  [['graphql', '@-', '--variables', '@-'], 'QUERY', '--variables'],
  [['graphql', '-', '-F', 'a=@-'], 'QUERY', '-F a'],
  [['graphql', '{ a }', '--variables', '@-', '-F', 'a=@-'], '--variables', '-F a'],
  [['graphql', '{ a }', '-F', 'a=@-', '-F', 'b=@-', '--dry-run'], '-F a', '-F b'],
])('%j exits with 2 and names both', async (args, first, second) => {
  const { url } = await serve([]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token' };
  const { exitCode, stdout, stderr } = await cictl(args, { env, stdin: '{"a":1}' });
  expect(stderr).toBe(
    `cictl: standard input can be read only once: ${first} has read it, and ${second} needs it too\n`,
  );
  expect([exitCode, stdout]).toEqual([2, '']);
});

test.each([
  [['api', 'x', '--input', '-', '-F', 'a=@-'], '--input and --field'],
  [['annotate', '-', '--file', '-', '--build', 'web/1'], 'BODY and --file'],
  [['job', 'unblock', 'web/1#j', '--fields-file', '-', '--field', 'a=b'], '--fields-file'],
  [['builds', 'create', '--body', '@-', '-e', 'A=b', '-p', 'web'], '--body and --env'],
])('%j exits with 2 too', async (args, text) => {
  const { url } = await serve([]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token', CICTL_ORG: 'acme' };
  const { exitCode, stderr } = await cictl(args, { env, stdin: '{"a":1}' });
  expect(stderr).toContain(text);
  expect(exitCode).toBe(2);
});

test('a single argument gets all of it', async () => {
  const { url } = await serve([
    { method: 'POST', path: '/v2/x', body: { a: 'all\nof it', b: 1 }, answer: { json: {} } },
  ]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token' };
  const args = ['api', 'x', '-F', 'a=@-', '-F', 'b=1'];
  expect((await cictl(args, { env, stdin: 'all\nof it' })).exitCode).toBe(0);
});
