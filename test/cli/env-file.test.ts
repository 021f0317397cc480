/** `--env-file` is Node's own flag: Node reads the file first and applies its NODE_OPTIONS. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeShim } from '../../src/service/shim/shim.ts';
import { against } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { launcher, toolLine, toolProgram } from '../support/tool.ts';

test.each([
  [['builds', 'create', '--env-file', 'vars.env']],
  [['builds', 'create', '-c', 'HEAD', '-b', 'main', '--env-file=vars.env']],
  [['--env-file=vars.env', 'builds', 'create']],
  [['builds', 'create', '-m', '--env-file=vars.env']],
  [['builds', 'create', '--env-file-if-exists', 'vars.env']],
  [['builds', 'create', '--env-file-if-exists=not-there.env']],
  [['builds', 'create', '--env-file']],
  [['run', '--env-file', 'vars.env']],
  [['annotate', 'body', '--env-file', 'vars.env']],
  [['--version', '--env-file=vars.env']],
  [['run', '--help', '--env-file=vars.env']],
])('%j exits with 2, names --env-from and sends nothing', async (args) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'vars.env'), 'GREETING=hi\n');
  const { exitCode, stdout, stderr } = await against([], args, { home });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^cictl: Node reads --env-file.+; use --env-from FILE instead$/m);
});

test('prints the same error as JSON', async () => {
  const { exitCode, stderr } = await cictl(['builds', 'create', '--json', '--env-file']);
  const { error } = JSON.parse(stderr) as { error: object };
  expect([exitCode, error]).toEqual([2, expect.objectContaining({ code: 2, kind: 'usage' })]);
});

test('after --, it belongs to another program', async () => {
  const home = await useHome();
  const line = ['annotate', '--dry-run', '--build', '1', '--', '--env-file=not-there'];
  const { exitCode, stdout } = await against([], line, { home });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('--env-file=not-there')]);
});

test.each(['builds create -c HEAD -b main --env-from=', 'run --env-from='])(
  '%s without a file exits with 2',
  async (line) => {
    const { exitCode, stderr } = await against([], line.split(' '), { home: await useHome() });
    expect([exitCode, stderr]).toEqual([2, 'cictl: --env-from requires a file\n']);
  },
);

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** We start programs with `--`, after which Node does not look for its flags. */
test.skipIf(!hasBash).each([
  [
    'completion',
    'eval "$(cictl completion bash)"; COMP_WORDS=(cictl run --env-file evil.env ""); COMP_CWORD=4; _cictl',
  ],
  ['the cictl of a job', 'job/cictl run --env-file evil.env'],
])('%s ignores NODE_OPTIONS in such a file', async (_, script) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'evil.cjs'), `require('fs').writeFileSync('pwned', '')`);
  await writeFile(join(home.cwd, 'evil.env'), 'NODE_OPTIONS=--require=./evil.cjs\n');
  const program = join(home.cwd, 'cictl');
  await writeFile(program, `#!/bin/sh\nexec ${toolLine} "$@"\n`);
  await chmod(program, 0o755);
  await writeShim(join(home.cwd, 'job'), { node: toolProgram, launcher });
  const env = { ...home.env, PATH: [home.cwd, home.env['PATH']].join(delimiter) };
  await promisify(execFile)('bash', ['-c', `${script}; true`], { cwd: home.cwd, env });
  expect(existsSync(join(home.cwd, 'pwned'))).toBe(false);
});
