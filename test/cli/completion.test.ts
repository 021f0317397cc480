/** Completion in real shells. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { hasTerminal, inTerminal } from '../support/pty.ts';
import { toolLine } from '../support/tool.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the launcher and the main program print the same script for %s',
  async (shell) => {
    const short = await cictl(['completion', shell]);
    const long = await cictl(['completion', shell, '--no-color']);
    expect(short).toEqual(long);
    expect(short).toMatchObject({ exitCode: 0, stderr: '' });
    expect(short.stdout).toContain('__complete');
  },
);

test.each([
  ['completion'],
  ['completion', 'tcsh'],
  ['completion', 'bash', 'zsh'],
  // Topics are not commands.
  ['flags', '--help'],
  ['exit-codes', '-h'],
])('the launcher leaves %j to the main program', async (...args) => {
  const { exitCode, stdout, stderr } = await cictl(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^cictl: .*\n/);
});

/** The environment of a user who has installed the tool. */
async function installed(home: Home): Promise<NodeJS.ProcessEnv> {
  const folder = join(home.root, 'bin');
  await mkdir(folder);
  const program = join(folder, 'cictl');
  await writeFile(program, `#!/bin/sh\nexec ${toolLine} "$@"\n`);
  await chmod(program, 0o755);
  return { ...home.env, PATH: [folder, home.env['PATH']].join(delimiter), TERM: 'dumb' };
}

async function shell(program: string, script: string): Promise<string[]> {
  const home = await useHome();
  const run = promisify(execFile);
  const { stdout } = await run(program, ['-c', script], { env: await installed(home) });
  return stdout.split('\n').filter((line) => line !== '');
}

const bashWith = (words: readonly string[]): string => `
  eval "$(cictl completion bash)"
  complete -p cictl
  COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
  COMP_CWORD=${words.length - 1}
  _cictl
  printf '%s\\n' "\${COMPREPLY[@]}"`;

test.skipIf(!has('bash')).each([
  [['cictl', 'bui'], ['builds']],
  [['cictl', '--json', 'builds', 'ca'], ['cancel']],
  [
    ['cictl', 'builds', 'list', '--state', 'fail'],
    ['failing', 'failed'],
  ],
  [
    ['cictl', 'builds', 'list', '--state', '=', 'fail'],
    ['failing', 'failed'],
  ],
  [
    ['cictl', 'annotate', '--style', '='],
    ['success', 'info', 'warning', 'error'],
  ],
  [
    ['cictl', 'builds', 'list', '--fields', 'number,sta'],
    ['number,state', 'number,started_at', 'number,status'],
  ],
  [['cictl', 'job', 'log', 'http', ':', '//host/', '--form'], ['--format']],
])('bash completes %j', async (words, candidates) => {
  const [registered, ...lines] = await shell('bash', bashWith(words));
  expect(registered).toContain('-F _cictl cictl');
  expect(lines).toEqual(candidates);
});

test.skipIf(!has('fish')).each([
  ['cictl bui', ['builds']],
  ['cictl builds list --state=fail', ['--state=failing', '--state=failed']],
  ['cictl builds list --fields number,st', ['number,state', 'number,started_at', 'number,status']],
  ['cictl rules ', ['list', 'view', 'create', 'delete']],
  ['cictl annotate --file /dev/nul', ['/dev/null']],
])('fish completes %s', async (line, candidates) => {
  const lines = await shell('fish', `cictl completion fish | source; complete -C '${line}'`);
  expect(lines.map((text) => text.split('\t')[0])).toEqual(candidates);
});

const interactive = [
  {
    name: 'bash',
    start: ['bash', '--norc', '--noprofile', '-i'],
    load: 'eval "$(cictl completion bash)"',
  },
  {
    name: 'zsh',
    start: ['zsh', '-f', '-i'],
    load: 'autoload -Uz compinit; compinit -D; source <(cictl completion zsh)',
  },
];

test.skipIf(!hasTerminal).each(interactive.filter(({ name }) => has(name)))(
  '$name completes words',
  async ({ start, load }) => {
    const home = await useHome();
    const { screen } = await inTerminal(start, {
      home,
      env: { ...(await installed(home)), PS1: 'ready> ' },
      keys: [
        { after: 'ready> ', type: `${load}; echo loa''ded\r` },
        { after: /loaded[^]*ready> /, type: 'cictl bui\tvi\t--incl\tx' },
        { after: /--include-retried-jobs[^a-z]+x/, type: '\x15cictl annotate --style w\t' },
        { after: 'warning', type: '\x15cictl builds list --fields numb\t,state\t.' },
        { after: /number,state[^a-z]*\./, type: '\x15exit\r' },
      ],
    });
    // Completing shells redraw some spaces.
    expect(screen).toMatch(/cictl builds[ \b]+view[ \b]+--include-retried-jobs[ \b]+x/);
  },
);

test('prints the script for PowerShell', async () => {
  const { stdout } = await cictl(['completion', 'powershell']);
  expect(stdout).toMatchInlineSnapshot(`
    "# cictl completion for PowerShell: cictl completion powershell | Out-String | Invoke-Expression
    Register-ArgumentCompleter -Native -CommandName cictl -ScriptBlock {
        param($wordToComplete, $commandAst, $cursorPosition)
        $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
        if ($wordToComplete -eq '') { $words += '' }
        cictl __complete '--' @words 2>$null | ForEach-Object {
            $text, $summary = $_ -split "\`t", 2
            if (-not $summary) { $summary = $text }
            $typed = $text
            # Quote candidates with shell characters, because anyone may have chosen the names.
            if ($text -match '[^\\w@%+=:./#^-]' -or $text -match '^[@#]') { $typed = "'" + $text.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $summary)
        }
    }
    "
  `);
});

test('another shell exits with 2', async () => {
  const { exitCode, stderr } = await cictl(['completion', 'csh']);
  expect([exitCode, stderr]).toEqual([
    2,
    'cictl: SHELL must be one of bash, zsh, fish, powershell, not "csh"\n',
  ]);
});

test('a malformed profile file does no harm', async () => {
  const home = await useHome();
  await mkdir(home.configDir);
  await writeFile(join(home.configDir, 'profiles.json'), '{');
  const { stdout } = await cictl(['__complete', 'builds', 'li'], { home });
  expect(stdout).toBe('list\tList builds, newest first\n');
});
