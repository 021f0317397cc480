/** The launcher caches code compiled by V8 for the next start. */
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHomeWithoutCache, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';

/** The number of starts that add to the cache. */
const rounds = 4;

test.each(['jsonl', 'table'])('code compiled for %s is used by later starts', async (form) => {
  const { home, run } = await useTool(rounds + 1, {}, form);
  await settle(run);
  const first = await filesOf(home);
  expect([...first.keys()].map((name) => /-x64-|-arm64-/.test(name))).not.toContain(false);
  expect([...first.keys()].join()).toContain('undici-transport');
  await run();
  expect(await filesOf(home)).toEqual(first);
});

test('one command adds to the code another compiled', async () => {
  const { home, run } = await useTool(1);
  await cictl(['profile', 'list'], { home });
  const before = await filesOf(home);
  await run();
  const after = await filesOf(home);
  const work = [...before.keys()].find((name) => name.includes('-work-')) ?? '';
  expect(after.get(work)?.size).toBeGreaterThan((before.get(work)?.size ?? Infinity) * 1.1);
});

test.each<[string, (file: Buffer) => Uint8Array]>([
  ['a flipped byte', (file) => flipped(file, file.length >> 1)],
  ['a wrong sum', (file) => flipped(file, file.length - 1)],
  ['a file cut short', (file) => file.subarray(0, file.length >> 1)],
  ['an empty file', () => new Uint8Array()],
])('%s is replaced, and does no harm', async (_, damage) => {
  const { home, run } = await useTool(2 * rounds + 1);
  await settle(run);
  const first = await filesOf(home);
  for (const name of first.keys()) {
    const path = join(folderOf(home), name);
    await writeFile(path, damage(await readFile(path)));
  }
  await settle(run);
  const second = await filesOf(home);
  expect([...second.keys()]).toEqual([...first.keys()]);
  for (const [name, { size }] of second)
    expect(size).toBeGreaterThan((first.get(name)?.size ?? 0) / 2);
  expect(await refused(home, run)).toEqual([]);
  expect(await filesOf(home)).toEqual(second);
});

test('keeps only a few old builds, evicting the oldest', async () => {
  const { home, run } = await useTool(2);
  const folder = folderOf(home);
  await mkdir(folder, { recursive: true });
  const megabytes = Array.from({ length: 20 }, (_, days) => join(folder, `old-${days}.cjs`));
  for (const [days, path] of megabytes.entries()) {
    await writeFile(path, new Uint8Array(1024 * 1024));
    await utimes(path, 1_000_000 - days, 1_000_000 - days);
  }
  await run();
  const left = await filesOf(home);
  const old = [...left.keys()].filter((name) => name.startsWith('old-'));
  expect(old.sort()).toEqual(Array.from({ length: 14 }, (_, days) => `old-${days}.cjs`).sort());
  expect([...left.keys()].join()).toContain('undici-transport');
  await rm(join(folder, 'old-0.cjs'));
  await writeFile(join(folder, 'new'), new Uint8Array(20 * 1024 * 1024));
  // Files are only evicted to make room for new ones; existing ones are rewritten for some rounds.
  await run();
  expect((await filesOf(home)).has('new')).toBe(true);
});

test("stores nothing if Node's cache is disabled", async () => {
  const { home, run } = await useTool(1, { NODE_DISABLE_COMPILE_CACHE: '1' });
  await run();
  expect(await readdir(folderOf(home))).toEqual([]);
});

/** Files whose cached code V8 rejects during a run. */
async function refused(home: Home, run: Run): Promise<string[]> {
  const [script, file] = [join(home.root, 'refused.cjs'), join(home.root, 'refused')];
  await writeFile(file, '');
  await writeFile(
    script,
    `const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        if (this.cachedDataRejected)
          require('node:fs').appendFileSync(${JSON.stringify(file)}, options.filename + '\\n');
      }
    };`,
  );
  await run({ NODE_OPTIONS: `--require=${script}` });
  return (await readFile(file, 'utf8')).split('\n').slice(0, -1);
}

type Run = (env?: Record<string, string>) => Promise<void>;

async function settle(run: Run): Promise<void> {
  for (let round = 0; round < rounds; round++) await run();
}

/** A command that sends requests; checks its output. */
async function useTool(runs: number, more: Record<string, string> = {}, form = 'jsonl') {
  const home = await useHomeWithoutCache();
  const answer = { json: form === 'jsonl' ? [] : [{ id: '1', number: 7, state: 'passed' }] };
  const exchange = { path: /^\/v2\/builds\?/, answer };
  const { url } = await serve(Array.from({ length: runs }, () => exchange));
  const env = { ...more, CICTL_BASE_URL: url, CICTL_TOKEN: 'token' };
  const run: Run = async (own = {}) => {
    const { exitCode, stdout } = await cictl(['builds', 'list', '-o', form], {
      home,
      env: { ...env, ...own },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: printed[form] });
  };
  return { home, run };
}

const printed: Record<string, string> = {
  jsonl: '',
  table: 'BUILD  STATE\n?/?/7  ✓ passed\n',
};

const folderOf = ({ cacheDir }: Pick<Home, 'cacheDir'>): string => join(cacheDir, 'compiled');

/** Each file with the facts that change if it is rewritten. */
async function filesOf(home: Home): Promise<Map<string, { size: number; writtenAt: bigint }>> {
  const names = (await readdir(folderOf(home))).sort();
  const stats = names.map(async (name) => {
    const { size, mtimeNs } = await stat(join(folderOf(home), name), { bigint: true });
    return [name, { size: Number(size), writtenAt: mtimeNs }] as const;
  });
  return new Map(await Promise.all(stats));
}

function flipped(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}
