/** `builds list --all` with a long, paginated list. */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl, startCictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { longList, meeting, type LongListOptions } from '../support/long-list.ts';
import { toolProgram, toolWords } from '../support/tool.ts';

const down = (from: number): number[] => Array.from({ length: from }, (_, index) => from - index);
const lines = (numbers: readonly number[]): string => numbers.map((n) => `${n}\n`).join('');

async function listAll(
  args: readonly string[],
  { started = false, ...options }: LongListOptions & Pick<CliOptions, 'started'> = {},
) {
  const list = await longList(options);
  const result = await cictl(['builds', 'list', ...args], { env: leadTo(list.url), started });
  return { ...result, list };
}

test.each([
  [[], lines(down(30))],
  [['-o', 'jsonl', '--jq', '.number'], lines(down(30))],
  [['--jq', 'length'], '30\n'],
  [['--jq', 'map(.number) | add'], '465\n'],
  [
    ['-o', 'yaml'],
    down(30)
      .map((n) => `- number: ${n}\n`)
      .join(''),
  ],
])('%j prints every build in order', async (args, out) => {
  const eight = meeting(8);
  // No page is served before eight requests are open: the tool uses eight connections.
  const { stdout } = await listAll(['--all', '--fields', 'number', ...args], {
    count: 30,
    before: ({ number }) => (number > 1 ? eight() : undefined),
  });
  expect(stdout).toBe(out);
});

// Long-running programs need a thread, which only the built tool has.
test.each([
  ['.[] as $one | $one.number', lines(down(30))],
  ['map(select(.id | test("b-[12]$"))) | map(.number)', '[2,1]\n'],
  ['.[] | . as $build | $build.number', lines(down(30))],
  ['def f: .number; map(f) | length', '30\n'],
  ['[limit(3; .[]) | .number]', '[30,29,28]\n'],
  ['.[] | # each\n .number', lines(down(30))],
])('--jq %j gets every build', async (program, out) => {
  expect((await listAll(['--all', '--jq', program], { count: 30, started: true })).stdout).toBe(
    out,
  );
});

test.each([
  ['-o', 'tsv', '--fields', 'id'],
  ['-o', 'jsonl'],
  ['-o', 'jsonl', '--jq', '.id'],
])('%s %s %s %s prints while fetching', async (...args) => {
  let printed: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (printed = resolve));
  // Later pages are only served after output of the first page was printed.
  const list = await longList({ before: ({ number }) => (number > 1 ? first : undefined) });
  const home = await useHome();
  const child = startCictl(['builds', 'list', '--all', ...args], home, { env: leadTo(list.url) });
  child.stdout.once('data', () => printed());
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  expect((await child).exitCode).toBe(0);
  expect(out.trimEnd().split('\n')).toHaveLength(20);
});

test('--limit 1 requests one page', async () => {
  const { list, stdout } = await listAll(['--limit', '1', '--fields', 'number']);
  expect(stdout).toBe('20\n');
  expect(list.requests).toEqual([expect.stringContaining('per_page=1')]);
});

test('--all requests one page if the reader stops', async () => {
  // More than the pipe's buffer, so that the tool cannot finish before the reader closes it.
  const list = await longList({ text: 'x'.repeat(200_000) });
  const home = await useHome();
  const command = '"$0" "$@" builds list --all -o jsonl | head -c 1';
  const env = { ...home.env, ...leadTo(list.url) };
  await execa('bash', ['-o', 'pipefail', '-c', command, toolProgram, ...toolWords], {
    env,
    extendEnv: false,
  });
  expect(list.requests).toHaveLength(1);
});

test('--all requests one page if the reader closes the pipe during a short one', async () => {
  const list = await longList({ count: 2000, perPage: 100 });
  const home = await useHome();
  const child = startCictl(['builds', 'list', '--all'], home, { env: leadTo(list.url) });
  child.stdout.once('data', () => child.stdout.destroy());
  expect((await child).exitCode).toBe(0);
  expect(list.requests).toHaveLength(1);
});

test('prints the builds before a failure, and exits with its code', async () => {
  const { stdout, stderr, exitCode } = await listAll(['--all', '--fields', 'number'], {
    before: ({ number }, response) => {
      if (number === 5) response.writeHead(403).end('{"message":"no"}');
    },
  });
  expect([exitCode, stdout]).toEqual([6, lines(down(20).slice(0, 8))]);
  expect(stderr).toContain('(page 5)');
});

test.each(['yaml', 'table', 'json --jq .[].number', 'json --jq length'])(
  'a failure partway prints nothing as %s',
  async (form) => {
    const { stdout, exitCode } = await listAll(['--all', '-o', ...form.split(' ')], {
      before: ({ number }, response) => {
        if (number === 5) response.writeHead(400).end('{"message":"no"}');
      },
    });
    expect([exitCode, stdout]).toEqual([8, '']);
  },
);

test('Ctrl-C stops it with pages in flight', async () => {
  const home = await useHome();
  let interrupt: () => void = () => undefined;
  const list = await longList({
    before: ({ number }) => {
      if (number < 5) return undefined;
      interrupt();
      return new Promise(() => undefined);
    },
  });
  const child = startCictl(['builds', 'list', '--all'], home, { env: leadTo(list.url) });
  child.stdout.resume();
  interrupt = () => void child.kill('SIGINT');
  expect((await child).exitCode).toBe(130);
});
