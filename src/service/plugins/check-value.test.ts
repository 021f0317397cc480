import { expect, test } from 'vitest';
import type { Json } from '../pipeline/plan.ts';
import { checkValue } from './check-value.ts';

const schema: Json = {
  properties: {
    image: { type: 'string' },
    count: { type: 'integer', minimum: 1 },
    mode: { enum: ['a', 'b', 3] },
    volumes: { type: ['boolean', 'array'], items: { type: 'string' } },
    run: { anyOf: [{ type: 'string' }, { type: 'array' }] },
    deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
  },
  required: ['image'],
  additionalProperties: false,
};

test.each<[Json, string[]]>([
  [{ image: 'x' }, []],
  [{ image: 'x', count: 2, mode: 3, volumes: ['a'], run: ['x'], deep: { on: true, more: 1 } }, []],
  [{}, ['image is missing']],
  [{ image: 3 }, ['image must be a string']],
  [{ image: 'x', count: 1.5 }, ['count must be an integer']],
  [{ image: 'x', mode: 'c' }, ['mode must be one of "a", "b", 3']],
  [{ image: 'x', volumes: ['a', 1] }, ['volumes.1 must be a string']],
  [{ image: 'x', volumes: 'a' }, ['volumes must be a boolean or an array']],
  [{ image: 'x', run: 3 }, ['run fits none of the forms that it may have']],
  [{ image: 'x', deep: {} }, ['deep.on is missing']],
  [{ image: 'x', imgae: 'y' }, ['imgae is unknown']],
  [{ imgae: 'y' }, ['image is missing', 'imgae is unknown']],
])('%j: %j', (config, problems) => {
  expect(checkValue(schema, config)).toEqual(problems);
});

test.each<[Json]>([
  [null],
  [true],
  ['nonsense'],
  [{ type: 'unheard-of' }],
  [{ properties: 'x', required: 3, enum: 4, allOf: 5 }],
  [{ properties: { constructor: null } }],
])('the schema %j asks for nothing', (odd) => {
  expect(checkValue(odd, { image: 'x', toString: 1 })).toEqual([]);
});
