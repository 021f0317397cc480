/** The parser rejects exactly the cycles that would block the scheduler forever. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CictlError } from '../../errors.ts';
import { fuzzed } from '../../../test/support/fuzz.ts';
import { cycleIn } from '../domain/upload.ts';
import { loadPipeline } from '../pipeline/load.ts';
import type { Step } from '../pipeline/plan.ts';

const kinds = fc.constantFrom('command', 'command', 'command', 'wait', 'block', 'input');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const dependencies = maybe(fc.array(fc.nat(9), { maxLength: 2 }));

const drawnStep = fc.record({ kind: kinds, dependsOn: dependencies });
const drawn = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ steps: fc.tuple(drawnStep), group: fc.constant(null) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        steps: fc.array(drawnStep, { minLength: 1, maxLength: 3 }),
        group: fc.record({ dependsOn: dependencies }),
      }),
    },
  ),
  { minLength: 1, maxLength: 6 },
);

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A file whose steps and groups have the keys `k0`, `k1` and so on. */
function fileOf(entries: Drawn): object[] {
  const count = entries.reduce((sum, { steps, group }) => sum + steps.length + (group ? 1 : 0), 0);
  let next = 0;
  const key = (): string => `k${next++}`;
  const wanted = (numbers: readonly number[] | null): object =>
    numbers === null ? {} : { depends_on: numbers.map((one) => `k${one % count}`) };
  const step = ({ kind, dependsOn }: Drawn[number]['steps'][number]): object => ({
    [kind]: kind === 'wait' ? null : 'x',
    key: key(),
    ...wanted(dependsOn),
  });
  return entries.flatMap(({ steps, group }): object[] => {
    if (group === null) return steps.map(step);
    const own = { group: 'x', key: key(), ...wanted(group.dependsOn) };
    return [{ ...own, steps: steps.map(step) }];
  });
}

/** The steps of a file, or its errors. */
function read(file: object[]): readonly Step[] | readonly string[] {
  try {
    return loadPipeline(JSON.stringify(file), { file: 'p.json', env: {} }).steps;
  } catch (error) {
    if (error instanceof CictlError) return error.details;
    throw error;
  }
}

/** The steps without the check for cycles. */
function unchecked(file: object[]): readonly Step[] {
  const dependencies = new Map<string, string[]>();
  const strip = (entry: Record<string, unknown>): object => {
    const { depends_on: names, steps, ...rest } = entry;
    if (Array.isArray(names)) dependencies.set(String(entry['key']), names as string[]);
    return Array.isArray(steps) ? { ...rest, steps: steps.map(strip) } : rest;
  };
  const steps = read(file.map((entry) => strip(entry as Record<string, unknown>))) as Step[];
  const wanted = (key: string | null | undefined) =>
    dependencies.get(key ?? '')?.map((step) => ({ step, allowFailure: false })) ?? null;
  return steps.map((step) => ({
    ...step,
    dependsOn: wanted(step.key),
    group: step.group && { ...step.group, dependsOn: wanted(step.group.key) },
  }));
}

test('rejects a file for a cycle exactly if the scheduler would find one', () => {
  let circles = 0;
  const runs = fuzzed(1000);
  fc.assert(
    fc.property(drawn, (entries) => {
      const file = fileOf(entries);
      const found = read(file);
      const isRefused = found.some((one) => typeof one === 'string');
      if (isRefused) circles++;
      expect(isRefused, JSON.stringify(file)).toBe(cycleIn(unchecked(file)) !== undefined);
    }),
    runs,
  );
  expect(circles).toBeGreaterThan(runs.numRuns / 10);
  expect(circles).toBeLessThan(runs.numRuns * 0.9);
});
