import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { checkFields, pickPaths, readPath } from './fields.ts';
import { thing } from '../../test/support/units/output-context.ts';

test.each(['number', 'owner.name', 'parts.state', 'env.PATH', 'extra.any.depth', 'parts'])(
  'accepts %s',
  (name) => {
    expect(checkFields(thing, [name])).toMatchObject([{ path: name, heading: name.toUpperCase() }]);
  },
);

test.each(['nmber', 'owner.nmae', 'number.inside', 'tags.inside', 'constructor', '.number', ''])(
  'rejects %j and lists the names',
  (name) => {
    const check = (): unknown => checkFields(thing, [name]);
    expect(check).toThrow(/fields of things: id, number, state, .*owner\.…/);
    expect(check).toThrow(expect.toSatisfy((error) => toExit(error) === 2));
  },
);

test('keeps the order and ignores spaces', () => {
  expect(checkFields(thing, [' state ', 'number']).map(({ path }) => path)).toEqual([
    'state',
    'number',
  ]);
});

const build = {
  number: 5,
  pipeline: { slug: 'web', provider: { id: 'github' } },
  creator: null,
  jobs: [
    { name: 'lint', agent: null },
    { name: 'test', agent: { name: 'a-1' } },
  ],
  env: JSON.parse('{"__proto__": "kept", "a": "1"}') as unknown,
};

test.each([
  ['number', 5],
  ['pipeline.slug', 'web'],
  ['pipeline.provider.id', 'github'],
  ['creator', null],
  ['creator.name', undefined],
  ['number.inside', undefined],
  ['missing', undefined],
  ['constructor', undefined],
  ['jobs.name', ['lint', 'test']],
  ['jobs.agent.name', [undefined, 'a-1']],
  ['env.__proto__', 'kept'],
])('reads %s', (path, value) => {
  expect(readPath(build, path)).toEqual(value);
});

test.each([
  [['number'], { number: 5 }],
  [['pipeline.slug', 'number'], { pipeline: { slug: 'web' }, number: 5 }],
  [
    ['pipeline.provider.id', 'pipeline.slug'],
    { pipeline: { provider: { id: 'github' }, slug: 'web' } },
  ],
  [['pipeline', 'pipeline.slug'], { pipeline: { slug: 'web', provider: { id: 'github' } } }],
  [['creator.name'], { creator: null }],
  [['missing', 'pipeline.nothing'], { missing: null, pipeline: { nothing: null } }],
  [['jobs.name'], { jobs: [{ name: 'lint' }, { name: 'test' }] }],
  [['jobs.agent.name'], { jobs: [{ agent: null }, { agent: { name: 'a-1' } }] }],
])('keeps only %j', (paths, left) => {
  expect(pickPaths(build, paths)).toEqual(left);
});

test('keeps the order of paths and members with unusual names', () => {
  expect(JSON.stringify(pickPaths(build, ['env.__proto__', 'number']))).toBe(
    '{"env":{"__proto__":"kept"},"number":5}',
  );
});
