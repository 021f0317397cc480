/** Trigger steps. */
import { checkKeys, type Keys } from '../keys.ts';
import { stepDefaults, type TriggerStep } from '../plan.ts';
import { flag, isNull, optionalText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping } from '../value.ts';
import { readVariables } from '../variables.ts';
import { readBase, readLabel } from './base.ts';
import type { StepContext } from './context.ts';
import { readSoftFail } from './failures.ts';

const buildKeys: Keys = {
  name: '`build` of a trigger step',
  run: ['commit', 'branch', 'message', 'env', 'meta_data'],
  shown: {},
};

export function readTrigger(reading: Reading, step: Mapping, context: StepContext): TriggerStep {
  const { entries } = step;
  const pipeline = optionalText(reading, entries.get('trigger'));
  if (!pipeline)
    reading.problem(
      entries.get('trigger')?.at ?? step.at,
      '`trigger` needs the slug of a pipeline',
    );
  const label = readLabel(reading, step);
  return {
    ...readBase(reading, step, 'step', label, context),
    type: 'trigger',
    pipeline: pipeline ?? '',
    async: flag(reading, entries.get('async'), false),
    softFail: readSoftFail(reading, entries.get('soft_fail')),
    build: readBuild(reading, entries.get('build')),
  };
}

function readBuild(reading: Reading, entry: Entry | undefined): TriggerStep['build'] {
  if (entry === undefined || isNull(entry.value)) return stepDefaults.trigger.build;
  if (entry.value.kind !== 'mapping') {
    reading.problem(entry.value.at, '`build` must be a mapping such as `branch: main`');
    return stepDefaults.trigger.build;
  }
  checkKeys(reading, entry.value, buildKeys);
  const { entries } = entry.value;
  const env = new Map<string, string>();
  readVariables(reading, entries.get('env'), (name, value) => env.set(name, value));
  return {
    commit: optionalText(reading, entries.get('commit')),
    branch: optionalText(reading, entries.get('branch')),
    message: optionalText(reading, entries.get('message')),
    env: Object.fromEntries(env),
    metaData: readMetaData(reading, entries.get('meta_data')),
  };
}

function readMetaData(reading: Reading, entry: Entry | undefined): Record<string, string> {
  if (entry === undefined || isNull(entry.value)) return {};
  if (entry.value.kind === 'mapping') return textsOf(reading, entry.value);
  reading.problem(entry.value.at, '`meta_data` must be a mapping');
  return {};
}

const textsOf = (reading: Reading, { entries }: Mapping): Record<string, string> =>
  Object.fromEntries(
    [...entries.values()].map(({ key, value }) => [
      key,
      isNull(value) ? '' : text(reading, value, `the value of \`${key}\``),
    ]),
  );
