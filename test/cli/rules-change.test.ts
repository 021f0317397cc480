/** `rules create` and `rules delete`. */
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const trigger = 'pipeline.trigger_build.pipeline';
const source = '16f3b56f-4934-4546-923c-287859851332';
const target = 'd07d5d84-d1bd-479c-902c-ce8a01ce5aac';

const newest = (pipeline: string, id: string | null): Exchange => ({
  path: `${acme}/pipelines/${pipeline}/builds?per_page=1`,
  answer: { json: id === null ? [] : [{ number: 3, pipeline: { id, slug: pipeline } }] },
});

const post = (value: object): Exchange => ({
  method: 'POST',
  path: `${acme}/rules`,
  body: { type: trigger, value },
  answer: { status: 201, json: { uuid: 'rule-uuid', type: trigger } },
});

const create = (...args: string[]) => ['rules', 'create', '--type', trigger, ...args];

sampled.each([
  ['UUIDs', ['--source', source, '--target', target], []],
  ['slugs', ['--source', 'web', '--target', 'api'], [newest('web', source), newest('api', target)]],
  ['both', ['--source', 'web', '--target', target], [newest('web', source)]],
])('create takes %s, and prints the uuid in a pipe', async (_, args, lookups) => {
  const value = { source_pipeline_uuid: source, target_pipeline_uuid: target };
  const { stdout, exitCode } = await against([...lookups, post(value)], create(...args));
  expect([exitCode, stdout]).toEqual([0, 'rule-uuid\n']);
});

sampled.each([
  ['text', '{"source_pipeline":"web","n":12345678901234567890}', ''],
  ['standard input', '@-', '{"source_pipeline":"web","n":12345678901234567890}'],
])('create sends a value given as %s untouched', async (_, value, stdin) => {
  const body = `{"type":"${trigger}","value":{"source_pipeline":"web","n":12345678901234567890}}`;
  const exchange = { ...post({}), body };
  expect((await against([exchange], create('--value', value), { stdin })).exitCode).toBe(0);
});

test('create --dry-run looks up and sends nothing else', async () => {
  const { stdout } = await against(
    [newest('web', source)],
    create('--source', 'web', '--target', target, '--dry-run', '--json'),
  );
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    body: { type: trigger, value: { source_pipeline_uuid: source } },
  });
});

sampled.each([
  [['rules', 'create', '--source', source, '--target', target], 'requires --type'],
  [create('--source', source), 'requires --source and --target'],
  [create('--source', source, '--value', '{}'), 'cannot be used together'],
  [create('--value', '[]'), 'JSON object'],
  [create('--value', '{'), 'is not valid JSON'],
  [['rules', 'create', '--type', 'pipeline.trigger', '--value', '{}'], 'pipeline.artifacts_read'],
  [create('--source', 'a/b', '--target', target), 'invalid pipeline'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});

test('a pipeline without builds exits with 2 and asks for the UUID', async () => {
  const { exitCode, stderr } = await against(
    [newest('web', null)],
    create('--source', 'web', '--target', target),
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('use its UUID')]);
});

test('a rejection exits with 8 and the reason', async () => {
  const refusal = { message: 'Validation Failed', errors: [{ field: 'value', code: 'invalid' }] };
  const { exitCode, stderr } = await against(
    [{ ...post({}), answer: { status: 422, json: refusal } }],
    create('--value', '{}'),
  );
  expect(exitCode).toBe(8);
  expect(stderr).toContain('Validation Failed (value: invalid)');
});

const look = {
  path: `${acme}/rules/${source}`,
  answer: {
    json: {
      ...{ uuid: source, type: 'pipeline.trigger_build.pipeline' },
      description: 'web may trigger docs',
    },
  },
};
const remove = { method: 'DELETE', path: `${acme}/rules/${source}`, answer: { status: 204 } };

test('delete needs --yes in a pipe, and prints nothing there', async () => {
  const refused = await against([], ['rules', 'delete', source]);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  const { exitCode, stdout, stderr } = await against([remove], ['rules', 'delete', source, '-y']);
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toContain('deleted rule');
});

test('delete --dry-run neither prompts nor sends', async () => {
  const { exitCode, stdout } = await against([], ['rules', 'delete', source, '--dry-run']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^DELETE http://.*/rules/${source}\n$`));
});

test.skipIf(!hasTerminal).each([
  ['y\r', [look, remove], 0],
  ['n\r', [look], 2],
])('delete prompts on a terminal: %j', async (answer, exchanges, code) => {
  const server = await serve(exchanges);
  const { screen, exitCode } = await cictlInTerminal(['rules', 'delete', source], {
    home: await useHome(),
    env: leadTo(server.url),
    columns: 160,
    keys: [{ after: 'y/N', type: answer }],
  });
  expect(screen).toContain('(pipeline.trigger_build.pipeline), "web may trigger docs", of acme?');
  expect(exitCode).toBe(code);
});

test.skipIf(!hasTerminal).each([
  [[{ ...look, answer: { status: 404 } }], [], 7],
  [[{ ...look, answer: { status: 403 } }, remove], [{ after: 'y/N', type: 'y\r' }], 0],
])('reports an unreadable file: %j', async (exchanges, keys, code) => {
  const server = await serve(exchanges);
  const home = await useHome();
  const env = leadTo(server.url);
  const { exitCode } = await cictlInTerminal(['rules', 'delete', source], {
    home,
    env,
    keys,
    columns: 160,
  });
  expect(exitCode).toBe(code);
});
