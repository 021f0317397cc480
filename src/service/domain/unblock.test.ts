import { expect, test } from 'vitest';
import type { BlockField } from '../pipeline/plan.ts';
import { cancelBuild } from './build-lifecycle.ts';
import type { Tree } from './records.ts';
import { retryJob } from './retry.ts';
import {
  build,
  end,
  expectRefusal,
  expectStates,
  jobOf,
  start,
} from '../../../test/support/units/scenario.ts';
import { unblockJob, type FieldValues } from './unblock.ts';

const unblock = (tree: Tree, id: string, fields: FieldValues = {}): Tree =>
  unblockJob(tree, id, { userId: 'user', fields }, 4000);

/** A blocked build whose step has these fields: text fields called `name` by default. */
function blockedWith(...fields: Partial<BlockField>[]): Tree {
  const tree = build('block a');
  const text = { key: 'name', kind: 'text', label: null, hint: null, format: null } as const;
  const optional = { required: false, multiple: false, default: null, options: [] };
  const asked = fields.map((field) => ({ ...text, ...optional, ...field }));
  const steps = tree.plan.steps.map((step) =>
    step.type === 'block' ? { ...step, fields: asked } : step,
  );
  return { ...tree, plan: { ...tree.plan, steps } };
}

const metaData = (field: Partial<BlockField>, fields: FieldValues) =>
  unblock(blockedWith(field), 'job-1', fields).build.metaData;

const select = {
  kind: 'select',
  options: [
    { label: 'A', value: 'a' },
    { label: 'B', value: 'b' },
  ],
} as const;

test('unblocking records the user and the time, and finishes the job', () => {
  const going = unblock(build('block a'), 'job-1');
  expectStates(going, 'scheduled: unblocked scheduled');
  expect(going.build.finishedAt).toBeNull();
  expect(jobOf(going, 'job-1')).toMatchObject({
    ...{ unblockedById: 'user', unblockedAt: 4000, finishedAt: 4000 },
  });
});

test('fields override the meta-data of the build', () => {
  const tree = blockedWith({}, { key: 'other' });
  const before = { ...tree, build: { ...tree.build, metaData: { name: 'old', release: '1' } } };
  const after = unblock(before, 'job-1', { name: 'new', other: 'x' });
  expect(after.build).toMatchObject({ id: 'build', number: 1, state: 'scheduled' });
  expect(after.build.metaData).toEqual({ name: 'new', other: 'x', release: '1' });
});

test.each<[string, Partial<BlockField>, FieldValues, Record<string, string>]>([
  ['left out', {}, {}, {}],
  ['left out, and named like a member of every object', { key: 'constructor' }, {}, {}],
  ['empty', {}, { name: '' }, { name: '' }],
  ['a default', { default: 'd' }, {}, { name: 'd' }],
  ['a default that is required', { default: 'd', required: true }, {}, { name: 'd' }],
  ['given over a default', { default: 'd' }, { name: 'x' }, { name: 'x' }],
  ['emptied over a default', { default: 'd' }, { name: '' }, { name: '' }],
  ['several defaults', { default: ['a', 'b'], multiple: true }, {}, { name: 'a\nb' }],
  ['several', { multiple: true }, { name: ['a', 'b'] }, { name: 'a\nb' }],
  ['one of several', { multiple: true }, { name: 'a' }, { name: 'a' }],
  ['none of several', { multiple: true }, { name: [] }, {}],
  ['an array of one', {}, { name: ['a'] }, { name: 'a' }],
  [
    'an empty one beside another',
    { multiple: true, required: true },
    { name: ['', 'a'] },
    { name: '\na' },
  ],
  ['an option', select, { name: 'b' }, { name: 'b' }],
  ['two options', { ...select, multiple: true }, { name: ['b', 'a'] }, { name: 'b\na' }],
  ['a text that is no option', { options: select.options }, { name: 'c' }, { name: 'c' }],
  ['of the format', { format: '[a-z]+' }, { name: 'abc' }, { name: 'abc' }],
  ['of one of two formats', { format: 'a|b' }, { name: 'b' }, { name: 'b' }],
  ['of a format that cannot be read', { format: '(' }, { name: 'x' }, { name: 'x' }],
])('a field value %s', (_, field, fields, expected) => {
  expect(metaData(field, fields)).toStrictEqual(expected);
});

test.each<[Partial<BlockField>, FieldValues, string]>([
  [{ required: true }, {}, 'The field "name" is required'],
  [{ required: true }, { name: '' }, 'The field "name" is required'],
  [{ required: true, multiple: true }, { name: ['', ''] }, 'The field "name" is required'],
  [{ required: true, multiple: true }, { name: [] }, 'The field "name" is required'],
  [{ required: true, default: 'd' }, { name: '' }, 'The field "name" is required'],
  [{}, { name: ['a', 'b'] }, 'The field "name" only accepts one value'],
  ...['abc1', '1abc', ''].map((value): [Partial<BlockField>, FieldValues, string] => [
    { format: '[a-z]+' },
    { name: value },
    `"${value}" does not match the format [a-z]+ of the field "name"`,
  ]),
  [{ format: 'a|b' }, { name: 'ab' }, '"ab" does not match the format a|b of the field "name"'],
  [
    { format: 'a', multiple: true },
    { name: ['a', 'b'] },
    '"b" does not match the format a of the field "name"',
  ],
  [select, { name: 'A' }, '"A" is not an option of the field "name" (a, b)'],
  [
    { ...select, multiple: true },
    { name: ['a', 'c'] },
    '"c" is not an option of the field "name" (a, b)',
  ],
])('rejects, with fields %j, the values %j', (field, fields, text) => {
  expectRefusal(() => metaData(field, fields), 'invalid', text);
});

test('an unknown field is reported with the fields of the step', () => {
  const text = 'The block step has no field "nam"';
  const refuse = (tree: Tree, hint: string): void => {
    expectRefusal(() => unblock(tree, 'job-1', { nam: 'x' }), 'invalid', text + hint);
  };
  refuse(build('block a'), '');
  refuse(blockedWith({}, { key: 'where' }), ' (it has name, where)');
});

test.each([
  ['one that is not there', 'job-7'],
  ['a command', 'job-1'],
  ['a wait', 'job-2'],
])('%s cannot be unblocked', (_, id) => {
  const tree = build('a wait block');
  expectRefusal(() => unblock(tree, id), 'wrong', 'This job type cannot be unblocked');
});

test('a job can be unblocked once, when it is reached', () => {
  const text = "The job's state must be blocked";
  expectRefusal(() => unblock(build('a block b'), 'job-2'), 'invalid', text);
  const going = unblock(build('block a'), 'job-1');
  expectRefusal(() => unblock(going, 'job-1'), 'invalid', text);
});

test('rejects unblocking in a canceled or canceling build', () => {
  const text = 'Jobs from canceled builds cannot be unblocked';
  const canceled = cancelBuild(build('block a'), null, 3000);
  expectRefusal(() => unblock(canceled, 'job-1'), 'invalid', text);
  const retried = retryJob(end(build('a? block'), 1, 1), 'job-1', 3000, () => 'job-9');
  const canceling = cancelBuild(start(retried, 9), null, 3000);
  expectStates(canceling, 'canceling: failed canceling canceled');
  expectRefusal(() => unblock(canceling, 'job-2'), 'invalid', text);
});
