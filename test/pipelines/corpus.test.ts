/** Pipelines in the style of real projects, with the expected outcome of all jobs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHome } from '../support/home.ts';
import { readCase } from './case-file.ts';
import { seenOf, wantedOf } from './compare.ts';
import { runCase, type Ran } from './run-case.ts';
import { setUp } from './set-up.ts';
import { sample } from '../support/full.ts';

const folder = join(import.meta.dirname, '../fixtures/pipelines/corpus');
const names = readdirSync(folder).filter((name) => name.endsWith('.case'));

describe.concurrent('the outcome of', () => {
  test.each(sample(names, 12))('%s', async (name) => {
    const one = readCase(join(folder, name));
    const home = await createHome();
    try {
      const ran = await runCase(home, setUp(home, one), one);
      expect(seenOf(ran, one.expected), report(ran)).toEqual(wantedOf(one.expected));
    } finally {
      await home.remove();
    }
  });
});

/** All output, to investigate a failure. */
const report = ({ stderr, outcomes }: Ran): string =>
  [
    stderr,
    ...[...outcomes].flatMap(([ref, { logs }]) =>
      Object.entries(logs).map(([job, log]) => `--- ${ref} ${job}\n${log}`),
    ),
  ].join('\n');
