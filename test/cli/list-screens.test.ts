/** Lists at several terminal widths, and in a pipe. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';

const uuid = (last: number): string => `0190046e-e199-453b-a302-${String(last).padStart(12, '0')}`;
const at = (seconds: number): string =>
  new Date(Date.UTC(2020, 0, 1) + seconds * 1000).toISOString();
const times = (seconds: number) => ({ started_at: at(0), finished_at: at(seconds) });

const jobs = [
  { id: uuid(1), type: 'script', state: 'passed', name: ':docker: Upload', ...times(8) },
  {
    ...{
      id: uuid(2),
      type: 'script',
      state: 'failed',
      name: `Unit tests ${'of all '.repeat(9)}of it`,
    },
    ...{ parallel_group_index: 1, parallel_group_total: 12, step_key: 'unit', ...times(95) },
  },
  { id: uuid(3), type: 'script', state: 'timed_out', name: 'Lint', soft_failed: true },
  { id: uuid(4), type: 'waiter', state: 'waiting_failed' },
  { id: uuid(5), type: 'manual', state: 'blocked', label: ':rocket: Release?', step_key: 'gate' },
];
const build = {
  ...{ id: uuid(9), number: 142, state: 'passed', blocked: true, message: ':tada: One\n\nbody' },
  ...{ branch: 'feature/JIRA-1234-money-in-practice', creator: { name: 'Ada Lovelace' } },
  ...{ created_at: at(-1), ...times(327), pipeline: { slug: 'web' }, jobs },
};
const rule = {
  ...{ uuid: uuid(20), type: 'pipeline.trigger_build.pipeline', effect: 'allow' },
  ...{ source_uuid: uuid(21), target_uuid: uuid(22), created_at: at(0) },
};

/** A service with 142 builds. The number of a page is that of its newest build. */
async function service(): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const per = Number(searchParams.get('per_page'));
    const page = (number: number, rel: string) =>
      `<http://${request.headers.host ?? ''}${pathname}?page=${number}&per_page=${per}>; rel="${rel}"`;
    const found = pathname.endsWith('/rules')
      ? [rule]
      : pathname.endsWith('/builds')
        ? Array.from({ length: per }, (_, index) => ({ ...build, id: uuid(100 + index) }))
        : build;
    response.writeHead(200, {
      'content-type': 'application/json',
      link:
        !Array.isArray(found) || found.length < per
          ? ''
          : `${page(2, 'next')}, ${page(Math.ceil(142 / per), 'last')}`,
    });
    response.end(JSON.stringify(found));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { CICTL_TOKEN: 'token-of-a-test', CICTL_BASE_URL: url, CICTL_ORG: 'acme' };
}

async function lines(args: readonly string[], columns: number): Promise<string[]> {
  const env = { ...(await service()), COLUMNS: String(columns) };
  const { stdout, stderr, exitCode } = await cictl([...args, '-o', 'table'], { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1);
}

const words = (line = ''): string[] => line.trim().split(/ {2,}/);

const builds = ['builds', 'list', '-p', 'web', '-L', '1'];

test('builds list shows the duration, age and creator', async () => {
  const [head, line] = await lines(builds, 160);
  expect(words(head)).toEqual(['#', 'STATE', 'BRANCH', 'MESSAGE', 'TOOK', 'BY', 'AGE']);
  const [age = '', ...others] = words(line).reverse();
  expect(age).toMatch(/^\d+y$/);
  expect(others.reverse()).toEqual([
    '■',
    '142',
    'blocked',
    build.branch,
    '🎉 One',
    '5m27s',
    'Ada Lovelace',
  ]);
});

test('a truncated branch keeps its end, and a name its first word', async () => {
  const long = { 80: 'feature/JIRA-1234-money-in-practice', 60: '-in-practice' };
  for (const [columns, end] of Object.entries(long)) {
    const [, line = ''] = await lines(builds, Number(columns));
    expect(line.length).toBeLessThanOrEqual(Number(columns));
    expect(words(line)[3]).toMatch(new RegExp(`${end}$`));
  }
  const [, narrow = ''] = await lines(builds, 70);
  expect(words(narrow)).toContain('Ada');
});

test('at 40 columns, branch, duration and age remain', async () => {
  const [head, line = ''] = await lines(builds, 40);
  expect(words(head)).toEqual(['#', 'STATE', 'BRANCH', 'TOOK', 'AGE']);
  expect(words(line).slice(0, 3)).toEqual(['■', '142', 'blocked']);
  expect(words(line)[3]).toMatch(/^….*practice$/);
  expect(words(line)[4]).toBe('5m27s');
  expect(line.length).toBeLessThanOrEqual(40);
});

test('a list over several pipelines starts with the reference', async () => {
  const [head, line] = await lines(['builds', 'list', '-L', '1'], 160);
  expect(words(head).slice(0, 2)).toEqual(['BUILD', 'STATE']);
  expect(words(line).slice(0, 2)).toEqual(['web/142', '■ blocked']);
});

test.each([160, 80, 40])(
  'at %d columns, jobs show state and name, and waiters no row',
  async (columns) => {
    const [head, ...rows] = await lines(['job', 'list', 'web/142'], columns);
    expect(words(head).slice(0, 2)).toEqual(['STATE', 'NAME']);
    expect(rows.map((row) => words(row)[0])).toEqual([
      '✓ passed',
      '✗ failed',
      '✗ timed out',
      '■ blocked',
    ]);
    const names = rows.map((row) => words(row)[1]);
    expect([names[0], names[2], names[3]]).toEqual(['docker Upload', 'Lint', '🚀 Release?']);
    expect(names[1]).toMatch(
      columns === 160 ? /^Unit tests (?:of all )+of it 2\/12$/ : /^Unit tes.*… 2\/12$/,
    );
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
  },
);

test('ids of jobs come last and are dropped first', async () => {
  const heads = [160, 80].map(async (width) =>
    words((await lines(['job', 'list', 'web/142'], width))[0]),
  );
  expect(await Promise.all(heads)).toEqual([
    ['STATE', 'NAME', 'KEY', 'TOOK', 'ID'],
    ['STATE', 'NAME', 'KEY', 'TOOK'],
  ]);
});

test.each([
  [160, ['TYPE', 'SOURCE', 'TARGET', 'EFFECT', 'AGE', 'UUID'], [uuid(21), uuid(22)]],
  [80, ['SOURCE', 'TARGET', 'AGE'], [uuid(21), uuid(22)]],
  [40, ['SOURCE', 'TARGET'], ['…-a302-000000000021', '…-a302-000000000022']],
])('at %d columns, rules list keeps its pipelines', async (columns, head, pipelines) => {
  const table = await lines(['rules', 'list'], columns);
  expect(words(table[0])).toEqual(head);
  expect(words(table[1])).toEqual(expect.arrayContaining(pipelines));
});

test('TSV keeps its columns, with seconds added at the end', async () => {
  const env = await service();
  const tsv = async (args: string[]) =>
    (await cictl(args, { env })).stdout.split('\n')[0]?.split('\t');
  expect(await tsv(builds)).toEqual([
    '142',
    'blocked',
    build.branch,
    ':tada: One\\n\\nbody',
    'Ada Lovelace',
    at(-1),
    '327',
  ]);
  expect(await tsv(['job', 'list', 'web/142'])).toEqual([
    uuid(1),
    'passed',
    'script',
    ':docker: Upload',
    '',
    '',
    at(0),
    at(8),
    '8',
  ]);
});

test.skipIf(!hasTerminal)(
  'a terminal shows the total number of builds after the list',
  async () => {
    const { screen } = await cictlInTerminal(['builds', 'list', '-p', 'web', '-L', '2'], {
      home: await useHome(),
      env: await service(),
    });
    expect(screen).toMatch(
      /142[^]*142.*\r\nshowing 2 of 142 builds; for more: --limit N or --all\r\n$/,
    );
  },
);
