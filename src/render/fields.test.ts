import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { checkFields, fieldNames } from './fields.ts';
import { thing } from './samples.ts';

test.each(['number', 'owner.name', 'parts.state', 'env.PATH', 'extra.any.depth', 'parts'])(
  'takes %s',
  (name) => {
    expect(checkFields(thing, [name])).toMatchObject([{ path: name, heading: name.toUpperCase() }]);
  },
);

test.each(['nmber', 'owner.nmae', 'number.inside', 'tags.inside', 'constructor', '.number', ''])(
  'refuses %j and lists the names',
  (name) => {
    const check = (): unknown => checkFields(thing, [name]);
    expect(check).toThrow(/things have id, number, state, .*owner\.…/);
    expect(check).toThrow(expect.toSatisfy((error) => toExit(error) === 2));
  },
);

test('keeps the order and forgives blanks', () => {
  expect(checkFields(thing, [' state ', 'number']).map(({ path }) => path)).toEqual([
    'state',
    'number',
  ]);
});

test('names what completion may offer', () => {
  expect(fieldNames(thing)).toContain('owner.name');
  expect(fieldNames(thing)).toContain('number');
});
