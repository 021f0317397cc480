import { checkKeys, type Keys } from '../keys.ts';
import { stepDefaults, type TriggerStep } from '../plan.ts';
import {
  flag,
  invalid,
  isNull,
  optionalText,
  text,
  type Reading,
  readVariables,
} from '../reading.ts';
import type { Entry, Mapping } from '../value.ts';
import { readBase, readLabel, type StepContext } from './base.ts';
import { readSoftFail } from './failures.ts';

const buildKeys: Keys = {
  name: "a trigger step's `build`",
  run: ['commit', 'branch', 'message', 'env', 'meta_data'],
};

export function readTrigger(reading: Reading, step: Mapping, context: StepContext): TriggerStep {
  const { entries } = step;
  const pipeline = optionalText(reading, entries.get('trigger'));
  if (!pipeline) {
    const { at } = entries.get('trigger') ?? step;
    reading.problem(at, '`trigger` needs a pipeline slug');
  }
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
  return {
    commit: optionalText(reading, entries.get('commit')),
    branch: optionalText(reading, entries.get('branch')),
    message: optionalText(reading, entries.get('message')),
    env: readVariables(reading, entries.get('env')),
    metaData: readMetaData(reading, entries.get('meta_data')),
  };
}

function readMetaData(reading: Reading, entry: Entry | undefined): Record<string, string> {
  if (entry === undefined || isNull(entry.value)) return {};
  if (entry.value.kind === 'mapping') return textsOf(reading, entry.value);
  return invalid(reading, entry.value, '`meta_data` must be a mapping', {});
}

const textsOf = (reading: Reading, { entries }: Mapping): Record<string, string> =>
  Object.fromEntries(
    [...entries.values()].map(({ key, value }) => [
      key,
      isNull(value) ? '' : text(reading, value, `the value of \`${key}\``),
    ]),
  );
