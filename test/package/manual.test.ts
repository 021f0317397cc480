/** The man pages that the build writes: one per command, and one per group of commands. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { manualPages } from '../../src/cli/generated.ts';
import { entries } from '../../src/cli/tree.ts';
import { sample, sampled } from '../support/full.ts';

const folder = join(import.meta.dirname, '../../dist/man');
const pages = await readdir(folder);
const namesOfCommands = entries.map(({ command }) => command.name);

test('each command and each group has its page', () => {
  const groups = namesOfCommands.flatMap((name) => {
    const words = name.split(' ');
    return words.map((_, length) => words.slice(0, length).join(' '));
  });
  const names = [...new Set([...groups, ...namesOfCommands])];
  const files = names.map((name) => `${`cictl ${name}`.trim().replaceAll(' ', '-')}.1`);
  expect(pages.toSorted()).toEqual(files.toSorted());
});

test('they match the current sources', async () => {
  for (const [page, text] of manualPages()) {
    expect(await readFile(join(folder, page), 'utf8'), page).toBe(text);
  }
});

test('the package lists all of them for npm: run `npm run docs`', async () => {
  const { man } = JSON.parse(await readFile(join(folder, '../../package.json'), 'utf8')) as {
    readonly man: readonly string[];
  };
  expect(man).toEqual(pages.map((page) => `./dist/man/${page}`).sort());
});

sampled.each(pages)('%s has its parts in their order, and no other request', async (page) => {
  const lines = (await readFile(join(folder, page), 'utf8')).split('\n');
  expect(lines[0]).toMatch(/^\.TH "CICTL[A-Z\\-]*" "1" "" "cictl \d+\.\d+\.\d+" "cictl manual"$/);
  const sections = lines.filter((line) => line.startsWith('.SH ')).map((line) => line.slice(4));
  expect(sections.slice(0, 2)).toEqual(['NAME', 'SYNOPSIS']);
  const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]);
  expect([...new Set(requests)].filter((request) => !known.has(request ?? ''))).toEqual([]);
  expect(lines.indexOf('.SH NAME')).toBeGreaterThan(0);
  expect(lines[lines.indexOf('.SH NAME') + 1]).toMatch(/^cictl[a-z\\-]* \\- \S/);
});

const known = new Set(['.TH', '.SH', '.TP', '.PP', '.nf', '.fi', '.nh', '.ad']);

test('a page has everything the help says about each flag', async () => {
  const text = await readFile(join(folder, 'cictl-builds-list.1'), 'utf8');
  expect(text).toContain(
    String.raw`\fB\-L\fR, \fB\-\-limit\fR \fIN\fR` + '\nmaximum number of builds (default 30)\n',
  );
  expect(text).toContain(String.raw`cictl builds list \-\-state failed \-\-created\-from 7d`);
});

const hasMan = (await rendered('cictl.1').catch(() => undefined)) !== undefined;

test.runIf(hasMan).each(sample(pages))('man shows %s without warnings', async (page) => {
  const { stdout, stderr } = (await rendered(page)) ?? {};
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^NAME\n +cictl[a-z-]* - \S/m);
  // roff would print or drop what it does not know.
  expect(stdout).not.toMatch(/\\[(&[]/);
});

test.runIf(hasMan)('literal text is printed unchanged', async () => {
  const { stdout } = (await rendered('cictl.1')) ?? {};
  expect(stdout).toContain(`cictl builds list --jq '.[] | select(.state=="failed")'`);
  expect(stdout).toContain(String.raw`\t \n \r \\ for tab, newline`);
});

async function rendered(page: string) {
  const env = { LC_ALL: 'C.UTF-8', MANWIDTH: '200', MANPAGER: 'cat', PATH: process.env['PATH'] };
  const result = await execa('man', ['--warnings', '-l', join(folder, page)], {
    ...{ env, extendEnv: false, reject: false },
  });
  return result.exitCode === 0 ? result : undefined;
}
