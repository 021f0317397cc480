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
  [{ image: 'x', run: 3 }, ['run matches none of the allowed forms']],
  [{ image: 'x', deep: {} }, ['deep.on is missing']],
  [{ image: 'x', imgae: 'y' }, ['imgae is not a known key']],
  [{ imgae: 'y' }, ['image is missing', 'imgae is not a known key']],
])('checks %j: %j', (config, problems) => {
  expect(checkValue(schema, config)).toEqual(problems);
});

test.each<[Json]>([
  [null],
  [true],
  ['nonsense'],
  [{ type: 'unheard-of' }],
  [{ properties: 'x', required: 3, enum: 4, allOf: 5 }],
  [{ properties: { constructor: null } }],
])('the schema %j allows anything', (odd) => {
  expect(checkValue(odd, { image: 'x', toString: 1 })).toEqual([]);
});

test.each<[Json, Json, string[]]>([
  [{ minimum: 1, maximum: 3 }, 1, []],
  [{ minimum: 1, maximum: 3 }, 0, ['a must be at least 1']],
  [{ minimum: 1, maximum: 3 }, 3.5, ['a must be at most 3']],
  [{ minimum: 1 }, 'zero', []],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, []],
  [{ exclusiveMinimum: 1 }, 1, ['a must be greater than 1']],
  [{ maximum: 3, exclusiveMaximum: true }, 3, ['a must be less than 3']],
  [{ multipleOf: 0.1 }, 0.3, []],
  [{ multipleOf: 5 }, 7, ['a must be a multiple of 5']],
  [{ multipleOf: 0 }, 7, []],
  [{ minLength: 2, maxLength: 3 }, 'äö\u{1f600}', []],
  [{ minLength: 2 }, 'x', ['a must have at least 2 characters']],
  [{ maxLength: 1 }, 'xy', ['a must have at most 1 character']],
  [{ pattern: '^v[0-9]+$' }, 'v12', []],
  [{ pattern: '[0-9]' }, 'v12', []],
  [{ pattern: '^v[0-9]+$' }, 'v', ['a must match ^v[0-9]+$']],
  [{ pattern: '(?<=unreadable)x' }, 'v', []],
  [{ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}b`, ['a must match ^(a+)+$']],
  [{ minItems: 1, maxItems: 2 }, ['x'], []],
  [{ minItems: 1 }, [], ['a must have at least 1 item']],
  [{ maxItems: 2 }, [1, 2, 3], ['a must have at most 2 items']],
  [{ uniqueItems: true }, [[1], [2]], []],
  [{ uniqueItems: true }, [[1], [1]], ['a must not contain duplicate items']],
  [{ minProperties: 1 }, {}, ['a must have at least 1 key']],
  [{ maxProperties: 1 }, { x: 1, y: 2 }, ['a must have at most 1 key']],
  [{ const: 'x' }, 'x', []],
  [{ const: null }, 'x', ['a must be one of null']],
  [{ not: { type: 'string' } }, 'x', ['a is not in an allowed format']],
  [{ not: { type: 'string', format: 'uri' } }, 'x', []],
  [{ oneOf: [{ type: 'string' }, { type: 'array' }] }, 'x', []],
  [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, ['a must match only one of the allowed forms']],
  [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 0, []],
  [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 0, ['a matches none of the allowed forms']],
  [{ oneOf: [{ format: 'uri' }, { type: 'string' }] }, 'x', []],
  [{ dependencies: { x: ['y'] } }, { x: 1 }, ['a.y is required with x']],
  [{ dependentRequired: { x: ['y'] } }, { x: 1, y: 2 }, []],
  [{ dependencies: { x: { required: ['z'] } } }, { x: 1 }, ['a.z is missing']],
  [
    { patternProperties: { '^n': { type: 'number' } }, additionalProperties: false },
    { n1: 1, n2: 'x', m: 1 },
    ['a.n2 must be a number', 'a.m is not a known key'],
  ],
  [{ patternProperties: { '(?<=x)': false }, additionalProperties: false }, { n1: 1 }, []],
  [{ properties: { b: { items: { minimum: 2 } } } }, { b: [2, 1] }, ['a.b.1 must be at least 2']],
  [{ minimum: 'x', maxLength: null, pattern: 3, minItems: [], oneOf: 1, not: 3 }, 'x', []],
  [{ dependencies: 3, patternProperties: 'x' }, { x: 1 }, []],
])('by the schema %j, %j gives %j', (part, value, problems) => {
  expect(checkValue({ properties: { a: part } }, { a: value })).toEqual(problems);
});
