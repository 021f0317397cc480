/** Extremely nested responses are limited and reported, and cause no internal error. */
import { expect, test } from 'vitest';
import { acme, against } from '../support/against.ts';
import { sampled } from '../support/full.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

const build = `${acme}/pipelines/web/builds/7`;
const single = (deep: string): string => `{"number":7,"author":${deep},"jobs":[]}`;
const commands = [
  ['builds', 'view', '7'],
  ['builds', 'view', '7', '-o', 'table'],
  ['builds', 'view', '7', '--json'],
  ['builds', 'view', '7', '-o', 'yaml'],
  ['builds', 'view', '7', '--jq', '.number'],
  ['builds', 'view', '7', '--fields', 'author'],
  ['builds', 'view', '7', '--json', '--fields', 'author'],
  ['api', 'organizations/acme/pipelines/web/builds/7', '-o', 'yaml'],
  ['api', 'organizations/acme/pipelines/web/builds/7', '-o', 'json'],
  ['api', 'organizations/acme/pipelines/web/builds/7', '--jq', '.number'],
];

sampled.each(commands.map((args) => ({ args })))('$args: deep answers', async ({ args }) => {
  for (const deep of [nested(1500), objects(5000), nested(100_000)]) {
    const { exitCode, stdout, stderr } = await against(
      [{ path: build, answer: { body: single(deep) } }],
      [...args],
    );
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain('nested deeper than 1000 levels');
    expect(stderr).not.toContain('unexpected');
  }
});

sampled.each(commands.map((args) => ({ args })))(
  '$args: what is less deep passes',
  async ({ args }) => {
    const levels = args.includes('--jq') ? 490 : 900;
    for (const deep of [nested(levels), objects(levels)]) {
      const { exitCode, stderr } = await against(
        [{ path: build, answer: { body: single(deep) } }],
        [...args],
      );
      expect([exitCode, stderr]).toEqual([0, '']);
    }
  },
);

sampled.each([[[]], [['-o', 'yaml']], [['--jq', '.']], [['--paginate']]])(
  'graphql %j: deep answers',
  async (more) => {
    const query =
      'query($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';
    const answer = { body: `{"data":${objects(5000)}}` };
    const { exitCode, stderr } = await against(
      [{ method: 'POST', path: '/v1', answer }],
      ['graphql', query, ...more],
    );
    expect(exitCode).toBe(9);
    expect(stderr).toContain('nested deeper than 1000 levels');
  },
);

test('a deeply nested error body is reported by its status', async () => {
  const answer = { status: 422, body: `{"message":"no","errors":[${nested(5000)}]}` };
  const { exitCode, stderr } = await against([{ path: build, answer }], ['builds', 'view', '7']);
  expect(exitCode).toBe(8);
  expect(stderr).not.toContain('unexpected');
});

test('api without an output format prints a body that it does not parse', async () => {
  const body = single(nested(5000));
  const { exitCode, stdout } = await against(
    [{ path: build, answer: { body } }],
    ['api', 'organizations/acme/pipelines/web/builds/7'],
  );
  expect([exitCode, stdout]).toEqual([0, body]);
});

test('brackets in strings are not levels', async () => {
  const body = single(JSON.stringify(`${nested(5000)} \\" ${'{['.repeat(2000)} \\`));
  const { exitCode, stdout } = await against(
    [{ path: build, answer: { body } }],
    ['builds', 'view', '7', '--jq', '.author | length'],
  );
  expect([exitCode, stdout]).toEqual([0, '14006\n']);
});

sampled.each(['.', 'tostring | length', '.number'])(
  '--jq %j of what jq cannot write is code 9, and no fault of the tool',
  async (program) => {
    for (const levels of [700, 800, 990]) {
      const { exitCode, stdout, stderr } = await against(
        [{ path: build, answer: { body: single(nested(levels)) } }],
        ['builds', 'view', '7', '--jq', program],
      );
      expect([exitCode, stdout]).toEqual([9, '']);
      expect(stderr).toContain('more than 500 levels');
    }
  },
);
