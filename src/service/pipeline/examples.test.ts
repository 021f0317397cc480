import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadPipeline } from './load.ts';

const folder = new URL('../../../examples/', import.meta.url);

test.each(readdirSync(folder))('reads examples/%s without notices', (name) => {
  const file = `${name}/.buildkite/pipeline.yml`;
  const plan = loadPipeline(readFileSync(new URL(file, folder), 'utf8'), { file, env: {} });
  expect(plan.notices).toEqual([]);
  expect(plan.steps.length).toBeGreaterThan(2);
});
