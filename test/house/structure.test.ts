/**
 * Imports go in one direction, and a file is a topic: neither split up nor lost among many
 * neighbors.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as house from './direction.ts';
import { circles } from './circles.ts';
import { parseSource, sources, type Import, type Source } from './sources.ts';

const { within } = house;
const top = join(import.meta.dirname, '../..');
const all = sources();
const isIn = (path: string, parts: readonly string[]): boolean =>
  parts.some((part) => within(path, part));

test('imports go one way, types too', () => {
  expect(all.length).toBeGreaterThan(20);
  expect(violations(ownImports, (source, used) => !mayUse(source, used.target))).toEqual([]);
});

const contributing = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8');

test('imports follow the map in CONTRIBUTING.md', () => {
  const map = [...contributing.matchAll(/^(src\/[\w.]+) /gm)].map(([, path = '']) => path);
  const lineOf = (path: string): number => map.findIndex((part) => within(path, part));
  const up = all.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => lineOf(target) !== -1 && lineOf(target) < lineOf(path))
      .map(({ target }) => `${path} -> ${target}`),
  );
  expect(up).toEqual([]);
});

test('the rule only goes down, and each source file has one', () => {
  const parts = Object.keys(house.mayUse);
  const up = Object.entries(house.mayUse).flatMap(([part, used]) =>
    used
      .filter((one) => placesOf(one).some((place) => place <= parts.indexOf(part)))
      .map((one) => `${part} -> ${one}`),
  );
  expect(up).toEqual([]);
  const without = all.map(({ path }) => below(path)).filter((path) => ruleOf(path) === undefined);
  expect(without.sort()).toEqual([...house.common].sort());
});

test('no allowed import is unused', () => {
  const unused = Object.entries(house.mayUse).flatMap(([part, allowed]) => {
    const used = all
      .filter(({ path }) => ruleOf(below(path)) === part)
      .flatMap((source) => ownImports(source).map(({ target }) => target));
    return allowed
      .filter((one) => !used.some((target) => within(target, one)))
      .map((one) => `${part} -> ${one}`);
  });
  expect(unused).toEqual([]);
});

test('no run-time import cycles', () => {
  const loaded = ({ imports }: Source): string[] =>
    imports
      .filter(({ typeOnly, isLazy }) => !typeOnly && isLazy !== true)
      .map(({ target }) => target);
  expect(circles(new Map(all.map((source) => [source.path, loaded(source)])))).toEqual([]);
});

test.each([
  [{ a: ['b'], b: ['c'], c: ['node:fs'] }, []],
  [{ a: ['a'] }, []],
  [{ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'] }, ['a b c', 'd e']],
])('finds the cycles of %o', (graph, expected) => {
  const found = circles(new Map(Object.entries<string[]>(graph)));
  expect(found.map((circle) => circle.sort().join(' ')).sort()).toEqual(expected);
});

test('commands has at most twenty files of fifteen lines or fewer', () => {
  const short = all.filter(({ path, lines }) => within(path, 'src/commands') && lines <= 15);
  expect(short.length, short.map(({ path }) => path).join(' ')).toBeLessThanOrEqual(20);
});

test('packages are imported only where they belong', () => {
  const isViolation = (source: string, { target }: Import): boolean =>
    !isIn(source, house.packages[target] ?? []);
  expect(violations(packageImports, isViolation)).toEqual([]);
});

test('pure parts use no file, network, process or terminal', () => {
  const isViolation = (source: string, { target }: Import): boolean =>
    isIn(source, house.pure) && !isIn(source, house.impure) && !house.pureBuiltins.includes(target);
  expect(violations(builtinImports, isViolation)).toEqual([]);
});

test('only the edge uses the process, and nothing uses the console', () => {
  const users = all.filter(
    ({ path, globals }) => globals.has('process') && !isIn(below(path), house.processUsers),
  );
  expect(users.map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ globals }) => globals.has('console'))).toEqual([]);
});

test("only src/common/clock.ts sets timers, since Node's are limited to 24.8 days", () => {
  const users = all.filter(
    ({ globals, imports }) =>
      globals.has('setTimeout') ||
      globals.has('setInterval') ||
      imports.some(({ target }) => /^(node:)?timers/.test(target)),
  );
  expect(users.map(({ path }) => path)).toEqual(['src/common/clock.ts']);
});

test.each([
  ["let a: import('../b.ts').A;", { target: 'src/b.ts', typeOnly: true }],
  ["import { a } from '../b.ts';", { target: 'src/b.ts', typeOnly: false }],
  ["import type { A } from '../b.ts';", { target: 'src/b.ts', typeOnly: true }],
  ["import { type A, type B } from './b.ts';", { target: 'src/x/b.ts', typeOnly: true }],
  ["import { a, type B } from './b.ts';", { target: 'src/x/b.ts', typeOnly: false }],
  ["export { a } from './b.ts';", { target: 'src/x/b.ts', typeOnly: false }],
  [
    "const f = () => import('undici/lib/dispatcher/client.js');",
    { target: 'undici', typeOnly: false, isLazy: true },
  ],
  ["import zod from '@scope/name/x';", { target: '@scope/name', typeOnly: false }],
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
const ownImports: Pick = (source) =>
  source.imports
    .filter(({ target }) => target.startsWith('src/'))
    .map((used) => ({ ...used, target: below(used.target) }));
const builtinImports: Pick = ({ imports }) =>
  imports.filter(({ target }) => target.startsWith('node:'));
const packageImports: Pick = ({ imports }) =>
  imports.filter(
    ({ target, typeOnly }) => !typeOnly && !/^(node:|src\/|package\.json)/.test(target),
  );

/** `api/client.ts -> terminal/pager.ts` for each import that breaks a rule. */
const violations = (pick: Pick, isViolation: (source: string, used: Import) => boolean): string[] =>
  all.flatMap((source) =>
    pick(source)
      .filter((used) => isViolation(below(source.path), used))
      .map((used) => `${below(source.path)} -> ${used.target}`),
  );

function mayUse(source: string, target: string): boolean {
  const rule = ruleOf(source);
  if (rule === undefined) return house.common.includes(target);
  return within(target, rule) || isIn(target, [...(house.mayUse[rule] ?? []), ...house.common]);
}

const ruleOf = (path: string): string | undefined =>
  Object.keys(house.mayUse)
    .filter((part) => within(path, part))
    .sort((a, b) => b.length - a.length)[0];

/** The positions of a part in the order; `service` has those of each of its parts. */
const placesOf = (part: string): number[] =>
  Object.keys(house.mayUse).flatMap((one, place) =>
    within(one, part) || within(part, one) ? [place] : [],
  );

test('no directory has more than 25 source files', () => {
  const directories = all.map(({ path }) => dirname(path));
  const full = directories.filter((one) => directories.filter((path) => path === one).length > 25);
  expect([...new Set(full)]).toEqual([]);
});

test('a file with one function, one importer and no test belongs in its importer', () => {
  const thin = all.filter(({ path, exports }) => exports.length === 1 && !hasTest(path));
  const misplaced = thin.filter(({ path }) => {
    const importers = all.filter(({ imports }) => imports.some(({ target }) => target === path));
    const isLazy = importers[0]?.imports.some((one) => one.target === path && one.isLazy === true);
    return importers.length === 1 && isLazy !== true;
  });
  const names = misplaced.map(({ path }) => path);
  const isExpected = (path: string): boolean =>
    path in exceptions || families.some((family) => within(path, family));
  expect(names.filter((path) => !isExpected(path))).toEqual([]);
  expect(Object.keys(exceptions).filter((path) => !names.includes(path))).toEqual([]);
});

const hasTest = (path: string): boolean =>
  ['.test.ts', '.test.tsx'].some((end) => existsSync(join(top, path.replace(/\.tsx?$/, end))));

/** One file per noun, even if only the client, the router or the parser imports it. */
const families = [
  'src/api',
  'src/service/graphql/schema',
  'src/service/http/routes',
  'src/service/pipeline/steps',
  'src/service/shim/agent',
  'src/service/store/tables',
];

/** With the reason for each. */
const exceptions: Readonly<Record<string, string>> = {
  'src/cli/error-text.ts': 'tests check the text of errors without a process',
  'src/commands/job/log-failed.ts': 'a topic of 180 lines: the logs of all failed jobs',
  'src/commands/job/log-follow.ts': 'a topic of 120 lines: a log that grows',
  'src/service/graphql/mutations.ts': 'a topic of 300 lines',
  'src/service/graphql/routes.ts': 'found beside what it serves, as all routes are',
  'src/service/pages/stats-page.tsx': 'one file per page',
  'src/triage/job-table.ts': 'a topic of 180 lines: the table of jobs in the build screen',
};
