/** `npm start` as a new user runs it, and the three commands that it suggests. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createHome, type Home } from '../support/home.ts';
import { timeLimit } from '../support/time-limit.ts';

const top = join(import.meta.dirname, '../..');
let home: Home;
let tour: Awaited<ReturnType<typeof shell>>;

beforeAll(async () => {
  home = await createHome();
  tour = await shell('npm start');
});

afterAll(async () => {
  await shell('node bin/cictl.js local down');
  await home.remove();
});

test('exits with 0 and shows a passed build', () => {
  expect(tour.exitCode).toBe(0);
  expect(tour.stdout).toMatch(/passed/);
});

test.each([
  ['the log of a job', 'Hello from your own machine, in build 1 of hello'],
  ['the soft failure', 'Lint (may fail)'],
  ['the note of a job', '3 tests'],
])('shows %s', (_, text) => {
  expect(tour.stdout).toContain(text);
});

test('leaves no service and no profile behind', async () => {
  const { exitCode } = await cictl(['local', 'status'], { home });
  expect(exitCode).toBe(9);
  expect(existsSync(home.configDir)).toBe(false);
});

test('ends with three commands that work as printed, in order', async () => {
  const lines = tour.stdout.match(/^ {2}node bin\/cictl\.js .*$/gm) ?? [];
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const { exitCode, stderr } = await shell(line);
    expect(exitCode, `${line}: ${stderr}`).toBe(0);
  }
});

test("leaves a user's profiles unchanged", async () => {
  const file = join(home.configDir, 'profiles.json');
  await mkdir(home.configDir, { recursive: true });
  await writeFile(file, 'not even JSON');
  const { exitCode } = await shell('npm start');
  expect(exitCode).toBe(0);
  expect(await readFile(file, 'utf8')).toBe('not even JSON');
});

const shell = (line: string) =>
  execa('sh', ['-c', line], {
    cwd: top,
    env: home.env,
    extendEnv: false,
    reject: false,
    timeout: timeLimit,
  });
