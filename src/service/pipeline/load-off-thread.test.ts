/** From the bundle: the source has no thread. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CictlError } from '../../errors.ts';
import { fillIn, loadPipeline } from './load.ts';
import type * as OffThread from './load-off-thread.ts';
import { loadPipelineOffThread } from './load-off-thread.ts';

type Bundled = typeof OffThread;

const folder = mkdtempSync(join(tmpdir(), 'cictl-load-'));
let bundled: Bundled;

beforeAll(async () => {
  const input = {
    'load-off-thread': join(import.meta.dirname, 'load-off-thread.ts'),
    'load-worker': join(import.meta.dirname, 'load-worker.ts'),
  };
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await build.write({ dir: folder, format: 'cjs', entryFileNames: '[name].cjs' });
  await build.close();
  const load = createRequire(import.meta.url);
  bundled = load(join(folder, 'load-off-thread.cjs')) as Bundled;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { file: 'p.yml', env: { A: 'a' } };
const text = 'steps: [{command: "echo $A $B", env: {C: $A}}]';

test('a worker thread loads a file as the same plan', async () => {
  const plan = await bundled.loadPipelineOffThread(text, options);
  expect(plan).toEqual(loadPipeline(text, options));
  expect(await loadPipelineOffThread(text, options)).toEqual(plan);
  expect(threadId).toBe(0);
});

test('a worker thread interpolates variables, with the same errors', async () => {
  const filled = await bundled.fillInOffThread(text, options, 'yaml');
  expect(filled).toContain('command: "echo a "');
  expect(filled).toBe(fillIn(text, options, 'yaml'));
  await expect(bundled.fillInOffThread('a: [', options, 'json')).rejects.toMatchObject({
    ...{ name: 'CictlError', kind: 'usage' },
  });
});

test('errors from the thread arrive complete', async () => {
  const broken = 'steps: [{comand: x}, {wait: ~, command: y}]';
  let expected: unknown;
  try {
    loadPipeline(broken, options);
  } catch (error) {
    expected = error;
  }
  if (!(expected instanceof CictlError)) throw new Error('the file was not refused');
  const { kind, message, details } = expected;
  expect(details).toHaveLength(2);
  await expect(bundled.loadPipelineOffThread(broken, options)).rejects.toMatchObject({
    ...{ name: 'CictlError', kind, message, details },
  });
});

test('the calling thread continues, and several files load at once', async () => {
  const turns: string[] = [];
  const loads = ['a', 'b', 'c'].map(async (name) => {
    const steps = Array.from({ length: 200 }, (_, index) => `- command: ${name} ${index}`);
    const plan = await bundled.loadPipelineOffThread(steps.join('\n'), options);
    turns.push(name);
    return plan.steps.length;
  });
  await new Promise(setImmediate);
  turns.push('meanwhile');
  expect(await Promise.all(loads)).toEqual([200, 200, 200]);
  expect(turns[0]).toBe('meanwhile');
  expect(turns.toSorted()).toEqual(['a', 'b', 'c', 'meanwhile']);
});

test('rejects a file that takes too long with one line, and loads the next one', async () => {
  const over = (onOver: () => void): { stop: () => void } => {
    onOver();
    return { stop: () => undefined };
  };
  await expect(bundled.loadPipelineOffThread(text, options, over)).rejects.toMatchObject({
    kind: 'usage',
    message: 'cannot read the pipeline file p.yml: it took longer than 10 s',
  });
  expect((await bundled.loadPipelineOffThread(text, options)).steps).toHaveLength(1);
});
