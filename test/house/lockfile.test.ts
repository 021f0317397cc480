import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const top = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(top, name), 'utf8');

interface Lock {
  readonly packages: Readonly<
    Record<string, { resolved?: string; hasInstallScript?: boolean; dev?: boolean }>
  >;
}

test('the lock file names no registry, so any mirror works', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  expect(Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});

test('user dependencies run no install scripts', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const scripted = Object.entries(packages).filter(([, e]) => e.hasInstallScript && !e.dev);
  expect(scripted).toEqual([]);
  const own = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(own.scripts).filter((name) => /install$|^prepare$/.test(name))).toEqual([]);
});

test('.ci/run names no registry either', () => {
  expect(read('.ci/run')).not.toMatch(/registry|npmjs|https?:/);
});
