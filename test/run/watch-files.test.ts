/** `cictl run --watch-files` runs again when files change, starting with what failed. */
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { makeCheckout } from './checkout.ts';
import { pipelineIn } from './pipelines.ts';
import { ownSleep, processesWith, until } from './processes.ts';
import { longTest } from '../support/full.ts';

/** A running watch; `shown` resolves when the output after the last match contains the text. */
async function watching(
  yaml: string,
  prepare: (folder: string) => Promise<unknown>,
  withGit = true,
) {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', yaml);
  await prepare(folder);
  if (withGit) await makeCheckout(folder, home);
  const child = startCictl(['run', 'demo', '--watch-files'], home);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let seen = 0;
  const shown = async (text: string): Promise<string> => {
    await until(() => output.includes(text, seen));
    const start = seen;
    seen = output.indexOf(text, seen) + text.length;
    return output.slice(start, seen);
  };
  return { child, folder, shown };
}

/** Replaces the file atomically, as editors do: an empty file would count as a change. */
async function put(path: string, text: string): Promise<void> {
  const draft = join(tmpdir(), `cictl-draft-${process.pid}`);
  await writeFile(draft, text);
  await rename(draft, path);
}

const waiting = 'waiting for file changes';
const checks = `
steps:
  - { label: fine, command: echo ran fine }
  - { label: check, command: 'grep -q good input' }
`;

test("runs failed jobs first, then everything; Ctrl-C exits with the last run's code", async () => {
  const { child, folder, shown } = await watching(checks, async (folder) => {
    await writeFile(join(folder, 'input'), 'bad');
    await writeFile(join(folder, '.gitignore'), 'ignored\n');
  });
  expect(await shown(waiting)).toMatch(/fine \| ran fine[^]*build\t1\tfailed/);
  await put(join(folder, 'ignored'), 'x');
  await put(join(folder, 'input'), 'still bad');
  const second = await shown(waiting);
  expect(second).toContain('changed: input\n');
  expect(second).toMatch(/build\t2\tfailed/);
  expect(second).not.toContain('ran fine');
  await put(join(folder, 'input'), 'good');
  const third = await shown(waiting);
  expect(third).toMatch(/build\t3\tpassed[^]*fine \| ran fine[^]*build\t4\tpassed/);
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(0);
});

test('a change cancels the current run cleanly', async () => {
  const mark = ownSleep('7110.');
  const yaml = `steps: [{ label: long, command: 'if grep -q first input; then echo asleep; ${mark}; fi; cat input' }]`;
  const { child, folder, shown } = await watching(yaml, (folder) =>
    writeFile(join(folder, 'input'), 'first'),
  );
  await shown('long | asleep');
  await put(join(folder, 'input'), 'second');
  const output = await shown(waiting);
  expect(output).toMatch(
    /build\t1\tcanceled[^]*changed: input[^]*long \| second[^]*build\t2\tpassed/,
  );
  expect(await processesWith(mark)).toEqual([]);
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(0);
});

test('files written by a job start no run, and an invalid file waits to be fixed', async () => {
  const { child, folder, shown } = await watching(
    `steps: [{ command: 'date +%s%N >made; echo same >committed' }]`,
    (folder) => writeFile(join(folder, 'committed'), 'same\n'),
  );
  await shown(waiting);
  await put(join(folder, 'pipeline.yml'), 'steps: [{ comand: x }]');
  expect(await shown(waiting)).toMatch(/changed: pipeline.yml[^]*did you mean `command`/);
  await put(join(folder, 'pipeline.yml'), `steps: [{ label: p, command: 'echo mended' }]`);
  expect(await shown(waiting)).toContain('p | mended');
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(0);
});

longTest('runs everything if the failed step is no longer in the file', async () => {
  const step = (key: string) => `- { key: ${key}, label: ${key}, command: 'cat input; exit 1' }`;
  const { child, folder, shown } = await watching(`steps: [${step('old').slice(2)}]`, (folder) =>
    writeFile(join(folder, 'input'), 'one\n'),
  );
  await shown(waiting);
  const upload = `command: 'echo "${step('made').replaceAll("'", '')}" | buildkite-agent pipeline upload'`;
  await put(join(folder, 'pipeline.yml'), `steps: [{ label: up, ${upload} }]`);
  expect(await shown(waiting)).toMatch(/made \| one\n[^]*build\t2\tfailed/);
  await put(join(folder, 'input'), 'two\n');
  expect(await shown(waiting)).toMatch(/made \| two\n[^]*build\t3\tfailed/);
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(1);
});

longTest('notices changes in a replaced directory and in a new empty one', async () => {
  const { child, folder, shown } = await watching(
    `steps: [{ label: p, command: 'cat src/* new/* || true' }]`,
    async (folder) => {
      await mkdir(join(folder, 'src'));
      await writeFile(join(folder, 'src/input'), 'one');
    },
  );
  await shown(waiting);
  await rename(join(folder, 'src'), join(folder, '..', 'src-before'));
  await cp(join(folder, '..', 'src-before'), join(folder, 'src'), { recursive: true });
  await mkdir(join(folder, 'new'));
  // A change next to them shows that both have been noticed.
  await put(join(folder, 'beside'), '');
  await shown(waiting);
  await put(join(folder, 'src/input'), 'two');
  expect(await shown(waiting)).toContain('changed: src/input\n');
  await put(join(folder, 'new/input'), 'three');
  expect(await shown(waiting)).toContain('changed: new/input\n');
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(0);
});

test('without git, watches all files except node_modules', async () => {
  const { child, folder, shown } = await watching(
    `steps: [{ label: p, command: 'cat src/input' }]`,
    async (folder) => {
      await mkdir(join(folder, 'src'));
      await mkdir(join(folder, 'node_modules'));
      await writeFile(join(folder, 'src/input'), 'one');
    },
    false,
  );
  await shown(waiting);
  await put(join(folder, 'node_modules/x'), 'x');
  await put(join(folder, 'src/input'), 'two');
  expect(await shown(waiting)).toMatch(/changed: src\/input\n[^]*p \| two/);
  child.kill('SIGTERM');
  expect((await child).exitCode).toBe(0);
});
