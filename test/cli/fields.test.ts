/** `--fields` accepts members of the specification, members of the response and computed ones. */
import { expect, test } from 'vitest';
import { acme, against } from '../support/against.ts';
import { sampled } from '../support/full.ts';

const base = `${acme}/pipelines/web/builds`;
const builds = (json: unknown) => ({ path: `${base}?per_page=30`, answer: { json } });
const annotations = (json: unknown) => ({
  path: `${base}/7/annotations?per_page=100`,
  answer: { json },
});

sampled.each([
  ['tsv', 'default\tbuild\ntests\t\n'],
  ['json', '[\n{"context":"default","scope":"build"},\n{"context":"tests","scope":null}\n]\n'],
  ['jsonl', '{"context":"default","scope":"build"}\n{"context":"tests","scope":null}\n'],
  ['yaml', '- context: default\n  scope: build\n- context: tests\n  scope: null\n'],
  ['table', 'CONTEXT  SCOPE\ndefault  build\ntests\n'],
])('a member that only the answer has, as %s', async (format, expected) => {
  const sent = [{ context: 'default', scope: 'build' }, { context: 'tests' }];
  const args = ['annotations', 'list', '7', '--fields', 'context,scope', '-o', format];
  const { exitCode, stdout } = await against([annotations(sent)], args);
  expect([exitCode, stdout.replace(/ +$/gm, '')]).toEqual([0, expected]);
});

const formats = ['tsv', 'json', 'jsonl', 'yaml', 'table'];

sampled.each(formats)(
  'a name that nothing has is code 2 as %s, and prints nothing',
  async (format) => {
    const sent = [{ context: 'default', scope: 'build' }];
    const args = ['annotations', 'list', '7', '--fields', 'context,scop', '-o', format];
    const { exitCode, stdout, stderr } = await against([annotations(sent)], args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/unknown field \\?"scop\\?"; fields of annotations: id, .*, scope/);
  },
);

sampled.each(formats)('an empty list has every name, as %s', async (format) => {
  const args = ['annotations', 'list', '7', '--fields', 'nonsense', '-o', format];
  const { exitCode, stderr } = await against([annotations([])], args);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('nonsense');
});

sampled.each(['scope', 'later.inside', 'tags.0.x', 'deep.er'])(
  'the first page decides: %s is in its last element',
  async (name) => {
    const last = {
      number: 1,
      scope: 0,
      later: { inside: [] },
      tags: { 0: { x: 1 } },
      deep: [{ er: 5 }],
    };
    const sent = [...Array.from({ length: 29 }, (_, at) => ({ number: 30 - at })), last];
    const { exitCode, stdout } = await against(
      [builds(sent)],
      ['builds', 'list', '--fields', `number,${name}`],
    );
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toHaveLength(31);
  },
);

test('requests no second page to find a name', async () => {
  const page = Array.from({ length: 100 }, (_, at) => ({ number: 200 - at, id: String(at) }));
  const { exitCode, stdout } = await against(
    (url) => [
      {
        path: `${base}?per_page=100`,
        answer: { json: page, headers: { link: `<${url}${base}?page=2>; rel="next"` } },
      },
    ],
    ['builds', 'list', '--all', '--fields', 'numbr'],
  );
  expect([exitCode, stdout]).toEqual([2, '']);
});

test('checks a list in one response as a whole', async () => {
  const sent = Array.from({ length: 300 }, (_, at) => ({
    name: `e${at}`,
    ...(at === 250 && { own: 1 }),
  }));
  const exchange = { path: `${acme}/emojis`, answer: { json: sent } };
  const { exitCode, stdout } = await against([exchange], ['emojis', 'list', '--fields', 'own']);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')[250]).toBe('1');
});

sampled.each([
  ['shape', 0, 'round\n'],
  ['shape.inner', 2, ''],
  ['constructor', 2, ''],
  ['__proto__', 2, ''],
  ['.number', 2, ''],
  ['pipeline.colour', 0, 'red\n'],
  ['jobs.colour', 0, 'blue\n'],
  ['jobs.nothing', 2, ''],
])('one build: %s ends with %i', async (name, code, expected) => {
  const json = {
    number: 7,
    shape: 'round',
    pipeline: { colour: 'red' },
    jobs: [{ colour: 'blue' }],
  };
  const { exitCode, stdout } = await against(
    name === '.number' ? [] : [{ path: `${base}/7`, answer: { json } }],
    ['builds', 'view', '7', '--fields', name],
  );
  expect([exitCode, stdout]).toEqual([code, expected]);
});

test('a change accepts only specified names, before it is sent', async () => {
  for (const args of [
    ['builds', 'create', '-c', 'c', '-b', 'b'],
    ['builds', 'cancel', '7', '-y'],
    ['annotate', 'text', '--build', '7'],
    ['job', 'retry', 'web/7#0190046e-e199-453b-a302-a21a4d649d31'],
  ]) {
    const { exitCode, stderr } = await against([], [...args, '--fields', 'colour']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('unknown field');
  }
});

const timed = [
  { number: 3, started_at: '2026-01-02T03:04:05.000Z', finished_at: '2026-01-02T03:05:06.500Z' },
  { number: 2, started_at: null, finished_at: null },
  { number: 1, started_at: '2026-01-02 03:04:05 UTC', finished_at: '2026-01-02T03:04:04Z' },
];

sampled.each([
  ['tsv', '3\t61.5\n2\t\n1\t0\n'],
  [
    'json',
    '[\n{"number":3,"duration":61.5},\n{"number":2,"duration":null},\n{"number":1,"duration":0}\n]\n',
  ],
  [
    'jsonl',
    '{"number":3,"duration":61.5}\n{"number":2,"duration":null}\n{"number":1,"duration":0}\n',
  ],
  [
    'yaml',
    '- number: 3\n  duration: 61.5\n- number: 2\n  duration: null\n- number: 1\n  duration: 0\n',
  ],
  ['table', 'NUMBER  DURATION\n     3      61.5\n     2\n     1         0\n'],
])('duration is computed, as %s', async (format, expected) => {
  const args = ['builds', 'list', '--fields', 'number,duration', '-o', format];
  const { exitCode, stdout } = await against([builds(timed)], args);
  expect([exitCode, stdout.replace(/ +$/gm, '')]).toEqual([0, expected]);
});

test('the duration of running builds and jobs grows until now', async () => {
  const started_at = new Date(Date.now() - 3_600_000).toISOString();
  const jobs = [{ id: 'a', started_at, finished_at: null }, { id: 'b', ...timed[0] }, { id: 'c' }];
  const view = { path: `${base}/7`, answer: { json: { number: 7, started_at, jobs } } };
  const args = ['builds', 'view', '7', '--fields', 'duration,jobs.duration', '--json'];
  const { stdout } = await against([view], args);
  const found = JSON.parse(stdout) as { duration: number; jobs: { duration: number | null }[] };
  expect(found.duration).toBeGreaterThanOrEqual(3600);
  expect(found.duration).toBeLessThan(4000);
  expect(found.jobs.slice(1)).toEqual([{ duration: 61.5 }, { duration: null }]);
  const list = await against([view], ['job', 'list', '7', '--fields', 'id,duration']);
  expect(list.stdout).toMatch(/^a\t36\d\d(\.\d+)?\nb\t61.5\nc\t\n$/);
  const detail = await against(
    [view],
    ['builds', 'view', '7', '--fields', 'duration', '-o', 'table'],
  );
  expect(detail.stdout).toMatch(/^duration {2}36\d\d/);
});

test('does not compute a duration that the service sends', async () => {
  const sent = [{ number: 1, duration: 'long', started_at: timed[0]?.started_at }];
  const { stdout } = await against([builds(sent)], ['builds', 'list', '--fields', 'duration']);
  expect(stdout).toBe('long\n');
});

test('--json=a,b is --json --fields a,b', async () => {
  const sent = [{ number: 1, state: 'passed', branch: 'main' }];
  for (const args of [['--json=number,state'], ['--json', '--fields', 'number,state']]) {
    const { stdout } = await against([builds(sent)], ['builds', 'list', ...args]);
    expect(stdout).toBe('[\n{"number":1,"state":"passed"}\n]\n');
  }
});

test('--json=a,b prints errors as JSON', async () => {
  for (const [args, exchanges] of [
    [['builds', 'list', '--json=nonsense'], [builds([{ number: 1 }])]],
    [['builds', 'list', '--json=,'], []],
    [['builds', 'list', '--json=number', '--fields', 'state'], []],
    [['builds', 'list', '--json=number', '--no-such-flag'], []],
  ] as const) {
    const { exitCode, stderr } = await against(exchanges, args);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 2, kind: 'usage' },
    });
  }
});

sampled.each([
  ['tsv', '8\tpassed\tblocked\n'],
  ['json', '[\n{"number":8,"state":"passed","status":"blocked"}\n]\n'],
  ['table', 'NUMBER  STATE     STATUS\n     8  ✓ passed  ■ blocked\n'],
])('state is as the service sent it, status what STATE shows, as %s', async (format, expected) => {
  const sent = [{ number: 8, state: 'passed', blocked: true }];
  const args = ['builds', 'list', '--fields', 'number,state,status', '-o', format];
  const { stdout } = await against([builds(sent)], args);
  expect(stdout.replace(/ +$/gm, '')).toBe(expected);
});
