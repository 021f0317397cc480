import { expect, test } from 'vitest';
import * as house from './direction.ts';
import { parseSource, sources, type Import, type Source } from './sources.ts';

const { within } = house;
const all = sources();
const isIn = (path: string, parts: readonly string[]): boolean =>
  parts.some((part) => within(path, part));

test('imports go one way', () => {
  expect(all.length).toBeGreaterThan(20);
  expect(faults(ownImports, (source, used) => !mayUse(source, used.target))).toEqual([]);
});

test('types may come from anywhere, save those of the command line', () => {
  const fault = (source: string, used: Import): boolean =>
    within(used.target, 'cli') && !isIn(source, ['main.ts', 'cli', 'commands', 'terminal']);
  expect(faults(typeImports, fault)).toEqual([]);
});

test('a package is imported where it belongs', () => {
  const fault = (source: string, { target }: Import): boolean =>
    !isIn(source, house.packages[target] ?? []);
  expect(faults(packageImports, fault)).toEqual([]);
});

test('pure parts know no file, network, process or terminal', () => {
  const fault = (source: string, { target }: Import): boolean =>
    isIn(source, house.pure) && !isIn(source, house.impure) && !house.pureBuiltins.includes(target);
  expect(faults(builtinImports, fault)).toEqual([]);
});

test('the process is touched at the edge alone, the console nowhere', () => {
  const users = all.filter(
    ({ path, globals }) => globals.has('process') && !isIn(below(path), house.processUsers),
  );
  expect(users.map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ globals }) => globals.has('console'))).toEqual([]);
});

test('all waiting is done by src/timer.ts, since a timer of Node holds 24.8 days', () => {
  const users = all.filter(
    ({ globals, imports }) =>
      globals.has('setTimeout') ||
      globals.has('setInterval') ||
      imports.some(({ target }) => /^(node:)?timers/.test(target)),
  );
  expect(users.map(({ path }) => path)).toEqual(['src/timer.ts']);
});

test.each([
  ["import { a } from '../b.ts';", { target: 'src/b.ts', typeOnly: false }],
  ["import type { A } from '../b.ts';", { target: 'src/b.ts', typeOnly: true }],
  ["import { type A, type B } from './b.ts';", { target: 'src/x/b.ts', typeOnly: true }],
  ["import { a, type B } from './b.ts';", { target: 'src/x/b.ts', typeOnly: false }],
  ["export { a } from './b.ts';", { target: 'src/x/b.ts', typeOnly: false }],
  [
    "const f = () => import('undici/lib/dispatcher/client.js');",
    { target: 'undici', typeOnly: false },
  ],
  ["import server from '@hono/node-server/x';", { target: '@hono/node-server', typeOnly: false }],
])('reads %s', (text, expected) => {
  expect(parseSource('src/x/a.ts', text).imports).toEqual([expected]);
});

test.each([
  ['process.exit()', ['process']],
  ['f(process)', ['process']],
  ['const { env } = process', ['process']],
  ['this.process.exit(); const o = { process: 1 }', []],
  ['if (x) console.log(1)', ['console']],
])('finds the globals of %s', (text, expected) => {
  expect([...parseSource('src/a.ts', text).globals]).toEqual(expected);
});

const below = (path: string): string => path.replace(/^src\//, '');

type Pick = (source: Source) => readonly Import[];

/** Imports of other sources, by path below `src/`. */
const own = (source: Source): readonly Import[] =>
  source.imports
    .filter(({ target }) => target.startsWith('src/'))
    .map((used) => ({ ...used, target: below(used.target) }));
const ownImports: Pick = (source) => own(source).filter(({ typeOnly }) => !typeOnly);
const typeImports: Pick = (source) => own(source).filter(({ typeOnly }) => typeOnly);
const builtinImports: Pick = ({ imports }) =>
  imports.filter(({ target }) => target.startsWith('node:'));
const packageImports: Pick = ({ imports }) =>
  imports.filter(
    ({ target, typeOnly }) => !typeOnly && !/^(node:|src\/|package\.json)/.test(target),
  );

/** `api/client.ts -> terminal/pager.ts` for each import at fault. */
const faults = (pick: Pick, isFault: (source: string, used: Import) => boolean): string[] =>
  all.flatMap((source) =>
    pick(source)
      .filter((used) => isFault(below(source.path), used))
      .map((used) => `${below(source.path)} -> ${used.target}`),
  );

function mayUse(source: string, target: string): boolean {
  const rule = Object.keys(house.mayUse)
    .filter((part) => within(source, part))
    .sort((a, b) => b.length - a.length)[0];
  if (rule === undefined) return house.common.includes(source);
  return within(target, rule) || isIn(target, [...(house.mayUse[rule] ?? []), ...house.common]);
}
