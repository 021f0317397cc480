/**
 * `completion --install` writes the file where each shell looks for it, or prints the remaining
 * steps.
 */
import { execFile, spawnSync } from 'node:child_process';
import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const homeOf = ({ env }: Home): string => env['HOME'] ?? '';

const install = (shell: string, home: Home, env: Record<string, string> = {}) =>
  cictl(['completion', shell, '--install'], { home, env });

test.each([
  ['bash', '.local/share/bash-completion/completions/cictl', '~/.bashrc'],
  ['zsh', '.local/share/zsh/site-functions/_cictl', '~/.zshrc'],
  ['powershell', '.config/powershell/cictl.ps1', '$PROFILE'],
])('%s: writes the script, and says what to add where', async (shell, file, profile) => {
  const home = await useHome();
  const path = join(homeOf(home), file);
  const { stdout, stderr, exitCode } = await install(shell, home);
  expect({ stdout, exitCode }).toEqual({ stdout: `${path}\n`, exitCode: 0 });
  expect(stderr).toContain(`wrote the completion script for ${shell}`);
  expect(stderr).toContain(profile);
  expect(stderr).toContain(`'${path}'`);
  expect(await readFile(path, 'utf8')).toBe((await cictl(['completion', shell])).stdout);
});

test('fish loads it without any other step', async () => {
  const home = await useHome();
  const { stdout, stderr } = await install('fish', home);
  expect(stdout).toBe(`${join(homeOf(home), '.config/fish/completions/cictl.fish')}\n`);
  expect(stderr).toBe('wrote the completion script for fish; new shells load it automatically\n');
});

test.each([
  ['bash', { XDG_DATA_HOME: 'data' }, 'data/bash-completion/completions/cictl'],
  ['bash', { BASH_COMPLETION_USER_DIR: 'own' }, 'own/completions/cictl'],
  ['zsh', { XDG_DATA_HOME: 'data' }, 'data/zsh/site-functions/_cictl'],
  ['fish', { XDG_CONFIG_HOME: 'config' }, 'config/fish/completions/cictl.fish'],
])('%s: writes to the directory of %j', async (shell, variables, file) => {
  const home = await useHome();
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, folder]) => [name, join(home.root, folder)]),
  );
  expect((await install(shell, home, env)).stdout).toBe(`${join(home.root, file)}\n`);
});

test("uses the user's shell without SHELL", async () => {
  const home = await useHome();
  const env = { SHELL: '/usr/local/bin/fish' };
  const { stdout } = await cictl(['completion', '--install'], { home, env });
  expect(stdout).toContain('/fish/completions/cictl.fish');
});

test.each([
  [['completion', '--install'], { SHELL: '/bin/tcsh' }],
  [['completion', '--install'], {}],
  [['completion'], { SHELL: '/bin/fish' }],
])('%j with %j exits with 2 and names the shells', async (args, env) => {
  const { stdout, stderr, exitCode } = await cictl(args, { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('bash, zsh, fish, powershell');
});

test('a second install reports no change', async () => {
  const home = await useHome();
  const { stdout } = await install('fish', home);
  const before = await stat(stdout.trim());
  const again = await install('fish', home);
  expect(again).toMatchObject({ stdout, exitCode: 0 });
  expect(again.stderr).toContain('the completion script for fish was already installed');
  expect((await stat(stdout.trim())).ino).toBe(before.ino);
});

test('replaces the script of another version', async () => {
  const home = await useHome();
  const { stdout } = await install('fish', home);
  await writeFile(stdout.trim(), 'old');
  await install('fish', home);
  expect(await readFile(stdout.trim(), 'utf8')).toContain('__complete');
});

test('keeps a link and writes its target', async () => {
  const home = await useHome();
  const folder = join(homeOf(home), '.config/fish/completions');
  const file = join(home.root, 'kept.fish');
  await mkdir(folder, { recursive: true });
  await writeFile(file, 'old');
  await symlink(file, join(folder, 'cictl.fish'));
  expect((await install('fish', home)).exitCode).toBe(0);
  expect((await lstat(join(folder, 'cictl.fish'))).isSymbolicLink()).toBe(true);
  expect(await readFile(file, 'utf8')).toContain('__complete');
});

test('names the zsh file that is read', async () => {
  const home = await useHome();
  const { stderr } = await install('zsh', home, { ZDOTDIR: '/dots' });
  expect(stderr).toContain('add this line to /dots/.zshrc: source ');
});

test('uses the first of several bash directories', async () => {
  const home = await useHome();
  const folder = join(home.root, 'first');
  const { stdout } = await install('bash', home, {
    BASH_COMPLETION_USER_DIR: `${folder}:/nowhere`,
  });
  expect(stdout).toBe(`${join(folder, 'completions/cictl')}\n`);
});

test('an unwritable location exits with 10 and its path', async () => {
  const home = await useHome();
  const file = join(homeOf(home), '.config');
  await writeFile(file, 'no folder');
  const { stdout, stderr, exitCode } = await install('fish', home);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 10 });
  expect(stderr).toContain(join(file, 'fish/completions/cictl.fish'));
});

test.skipIf(!has('fish'))('fish completes after the install', async () => {
  const home = await useHome();
  await install('fish', home);
  const env = await withPrograms(home);
  const run = promisify(execFile);
  const { stdout } = await run('fish', ['-c', `complete -C 'cictl bui'`], { env });
  expect(stdout).toContain('builds');
});

test.skipIf(!has('zsh'))('zsh completes after the printed step', async () => {
  const home = await useHome();
  const { stderr } = await install('zsh', home);
  const line = /: (source .*)$/m.exec(stderr)?.[1] ?? '';
  const run = promisify(execFile);
  const { stdout } = await run('zsh', ['-f', '-c', `${line}; print $_comps[cictl]`], {
    env: await withPrograms(home),
  });
  expect(stdout).toBe('_cictl\n');
});

test.skipIf(!has('bash'))('bash completes after the printed step', async () => {
  const home = await useHome();
  const { stderr } = await install('bash', home);
  const line = /: (source .*)$/m.exec(stderr)?.[1] ?? '';
  const run = promisify(execFile);
  const { stdout } = await run('bash', ['--norc', '-c', `${line}; complete -p cictl`], {
    env: await withPrograms(home),
  });
  expect(stdout).toContain('-F _cictl cictl');
});
