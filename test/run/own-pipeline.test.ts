/** This project's pipeline, with scripts that print their own names. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const top = join(import.meta.dirname, '../..');

interface Scripts {
  readonly scripts: Record<string, string>;
}

/** The lines that jobs printed, and the final state of each job by label. */
async function runWith(replaced: Record<string, string> = {}) {
  const home = await useHome();
  const folder = join(home.cwd, 'cictl');
  await mkdir(join(folder, '.buildkite'), { recursive: true });
  const path = '.buildkite/pipeline.yml';
  await writeFile(join(folder, path), await readFile(join(top, path)));
  const { scripts } = JSON.parse(await readFile(join(top, 'package.json'), 'utf8')) as Scripts;
  const named = Object.fromEntries(Object.keys(scripts).map((name) => [name, `echo ran ${name}`]));
  const own = { name: 'cictl', scripts: { ...named, ...replaced } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(own));
  const { stdout, stderr, exitCode } = await cictl(['run', 'cictl'], { home });
  return { exitCode, stderr, ...read(stdout) };
}

function read(stdout: string) {
  const events = stdout.split('\n').map((line) => line.split('\t'));
  const jobs = events.flatMap(([, kind, name = '', state = '']) =>
    kind === 'job' ? [[name, state] as const] : [],
  );
  const ran = [...stdout.matchAll(/\| (ran .*?)\s*$/gm)].map(([, line]) => line);
  return { ran, states: Object.fromEntries(jobs) as Record<string, string> };
}

test('passes: packages, build, checks, then the tests one Node at a time, the executable last', async () => {
  const { exitCode, ran, stderr, states } = await runWith();
  expect({ exitCode, states: new Set(Object.values(states)) }, stderr).toEqual({
    exitCode: 0,
    states: new Set(['passed']),
  });
  expect(ran.slice(0, 2)).toEqual(['ran packages', 'ran build']);
  expect(ran.slice(2, 5).toSorted()).toEqual(['ran check', 'ran lint', 'ran types']);
  expect(ran.slice(5, 7).toSorted()).toEqual(['ran test:nodes 20', 'ran test:nodes 26']);
  expect(ran.slice(7)).toEqual(['ran test:exe']);
});

test('a failed check fails the build, and the tests still run', async () => {
  const { exitCode, ran, states } = await runWith({ lint: 'exit 1' });
  expect(exitCode).toBe(1);
  expect(states['lint']).toBe('failed');
  expect(ran).toEqual(expect.arrayContaining(['ran test:nodes 20', 'ran test:nodes 26']));
});

test('checks nothing if the build fails', async () => {
  const { exitCode, ran } = await runWith({ build: 'exit 1' });
  expect({ exitCode, ran }).toEqual({ exitCode: 1, ran: ['ran packages'] });
});
