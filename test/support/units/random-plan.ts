/** Random plans for fast-check. */
import fc from 'fast-check';
import {
  plainCommand,
  plainStep,
  type Plan,
  type Step,
} from '../../../src/service/pipeline/plan.ts';

const keys = ['k', 'l', 'm'] as const;
const groups = [null, null, null, 'g', 'h'] as const;

const dependencies = fc.array(
  fc.record({ step: fc.constantFrom(...keys, 'g', 'h'), allowFailure: fc.boolean() }),
  { maxLength: 2 },
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** A random step. Keys and groups are assigned afterwards, so that they are unique. */
const drawnStep = fc.record({
  kind: fc.constantFrom(
    'command',
    'command',
    'command',
    'command',
    'wait',
    'wait!',
    'block',
    'input',
    'trigger',
  ),
  count: fc.constantFrom(1, 1, 1, 2),
  group: fc.constantFrom(...groups),
  dependsOn: maybe(dependencies),
  allowDependencyFailure: fc.constantFrom(false, false, true),
  isOmitted: fc.constantFrom(false, false, false, false, true),
  softFail: fc.constantFrom(false, false, true, [1], [2]),
  rules: fc.array(
    fc.record({
      exitStatus: fc.constantFrom('*' as const, [1], [2]),
      limit: fc.constantFrom(0, 1, 2),
    }),
    { maxLength: 2 },
  ),
  isLimited: fc.constantFrom(false, false, false, true),
  cancelOnBuildFailing: fc.constantFrom(false, false, false, true),
  isAsync: fc.boolean(),
  blockedState: fc.constantFrom('passed', 'failed', 'running'),
});

type DrawnStep = typeof drawnStep extends fc.Arbitrary<infer T> ? T : never;

/** Plans of up to eight steps, some with two jobs. */
export const randomPlan = fc
  .record({
    steps: fc.array(drawnStep, { minLength: 1, maxLength: 8 }),
    groupNeeds: fc.record({ g: maybe(dependencies), h: maybe(dependencies) }),
    firstKey: fc.nat(4),
  })
  .map(({ steps, groupNeeds, firstKey }) => planOf(steps, groupNeeds, firstKey));

function planOf(
  drawn: readonly DrawnStep[],
  groupNeeds: Readonly<Record<'g' | 'h', Step['dependsOn']>>,
  firstKey: number,
): Plan {
  const steps = drawn.flatMap((one, definition) =>
    Array.from({ length: one.kind === 'command' ? one.count : 1 }, () =>
      stepOf(one, definition, keys[definition - firstKey] ?? null, groupNeeds),
    ),
  );
  return { env: {}, steps, notices: [] };
}

function stepOf(
  one: DrawnStep,
  definition: number,
  key: string | null,
  groupNeeds: Readonly<Record<'g' | 'h', Step['dependsOn']>>,
): Step {
  const base = {
    ...{ ...plainStep, line: 1, definition, key, dependsOn: one.dependsOn },
    allowDependencyFailure: one.allowDependencyFailure,
    omitted: one.isOmitted ? ({ state: 'skipped', reason: '' } as const) : null,
    group: one.group && {
      ...{ definition: 100 + one.group.charCodeAt(0), key: one.group, label: null },
      dependsOn: groupNeeds[one.group],
    },
  };
  if (one.kind === 'wait' || one.kind === 'wait!')
    return { ...base, type: 'wait', continueOnFailure: one.kind === 'wait!' };
  if (one.kind === 'block' || one.kind === 'input')
    return { ...base, type: one.kind, prompt: null, fields: [], blockedState: one.blockedState };
  const softFail = one.softFail;
  if (one.kind === 'trigger') {
    const build = { commit: null, branch: null, message: null, env: {}, metaData: {} };
    return {
      ...base,
      type: 'trigger',
      pipeline: 'p',
      async: one.isAsync,
      softFail: softFail === true,
      build,
    };
  }
  const rules = one.rules.map((rule) => ({ ...rule, signal: null, signalReason: null }));
  const manual = { allowed: true, permitOnPassed: true, reason: null };
  return {
    ...{ ...plainCommand, ...base, command: 'x', softFail },
    retry: { automatic: rules, manual },
    concurrency: one.isLimited ? { group: 'c', limit: 1, method: 'eager' } : null,
    cancelOnBuildFailing: one.cancelOnBuildFailing,
  };
}
