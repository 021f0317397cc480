/** `.buildkite/pipeline.yml` and `.ci/run` run the same checks with the same commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPipeline } from '../../src/service/pipeline/load.ts';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const script = read('.ci/run');
const file = '.buildkite/pipeline.yml';
const steps = loadPipeline(read(file), { file, env: {} }).steps;
const commands = steps.flatMap((step) => (step.type === 'command' ? [step.command] : []));

test('the pipeline runs the same commands as the script', () => {
  const checks = [...script.matchAll(/^(?:step|beside) \w+ (npm run .+)$/gm)].map(
    ([, line = '']) => line,
  );
  expect(checks.length).toBeGreaterThan(3);
  const light = commands.filter((line) => !/packages|test:/.test(line));
  expect(light.toSorted()).toEqual(checks.toSorted());
});

test('the tests run on the oldest supported Node and the newest of the script', () => {
  const oldest = /">=(\d+)/.exec(read('package.json'))?.[1];
  const newest = /^newest=(\d+)$/m.exec(script)?.[1];
  const tests = [oldest, newest].map((line) => `npm run --silent test:nodes -- ${line ?? '?'}`);
  expect(commands.filter((line) => line.includes('test:nodes'))).toEqual(tests);
});

test('both test the executable', () => {
  expect(commands).toContain('npm run --silent test:exe');
  expect(script).toContain('npm run --silent test:exe');
});

test('it names existing scripts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = commands.map((line) => /^npm run --silent (\S+)/.exec(line)?.[1] ?? line);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('the file gives no notices in an editor', () => {
  expect(loadPipeline(read(file), { file, env: {} }).notices).toEqual([]);
});
