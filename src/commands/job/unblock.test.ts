import { expect, test } from 'vitest';
import { checkBlockFields } from './unblock.ts';

const version = { key: 'version', required: true, default: null, options: [] };
const stage = { key: 'stage', required: true, default: 'dev', options: [{ value: 'dev' }, 'prod'] };

test.each([
  [undefined, { anything: 'x' }, undefined],
  [null, {}, undefined],
  [[], {}, undefined],
  [[version, stage], { version: '1' }, 'version (required), stage (one of dev, prod)'],
  [['odd', { label: 'no key' }, { key: 'note' }], {}, 'note'],
])('%j and %j say %j', (fields, values, expected) => {
  expect(checkBlockFields({ fields }, values)).toBe(expected);
});

test.each([
  [[version], {}, 'requires a value for version'],
  [[version], { version: '1', other: '2' }, 'no field "other"; its fields are version (required)'],
  [[], { other: '2' }, 'it has no fields'],
])('rejects, for %j, %j', (fields, values, message) => {
  expect(() => checkBlockFields({ fields }, values)).toThrow(message);
});
