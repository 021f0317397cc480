/**
 * `job env`: whatever a job's variables are named, sourcing them runs nothing and loses no value.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { acme, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';
import { namesOfShells, shells, whereIs, type Shell } from '../support/shells.ts';

const id = '0d3e3a5b-51ae-4f9b-8f6f-2c6a3b8e7d11';

/** Text that every shell treats literally. */
const texts = [
  ...['PATH', 'HOME', 'TERM', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'LC_COLLATE', 'PWD'],
  ...['USER', 'LOGNAME', 'MANPATH'],
];

/**
 * Variables that are only special once they are set, in interactive shells or in other versions.
 */
const documented = `_ ARGC ARGV0 BASH_COMPAT BASH_ENV BASH_LOADABLES_PATH BASH_REMATCH BASH_TRAPSIG
  BASH_XTRACEFD BAUD CDPATH CHILD_MAX COLUMNS COMPREPLY COMP_CWORD COMP_KEY COMP_LINE COMP_POINT
  COMP_TYPE COMP_WORDS COPROC CORRECT_IGNORE DIRSTACKSIZE EDITOR EMACS ENV ERRNO EXECIGNORE FCEDIT
  FIGNORE FUNCNEST GLOBIGNORE GLOBSORT HISTCONTROL HISTFILE HISTFILESIZE HISTIGNORE HISTORY_IGNORE
  HISTSIZE HISTTIMEFORMAT HOST HOSTFILE HOSTNAME IGNOREEOF INPUTRC INSIDE_EMACS KEYTIMEOUT LINES
  LISTMAX LOGCHECK MAIL MAILCHECK MAILPATH MAPFILE MATCH MBEGIN MEND OLDPWD OPTARG OPTERR OPTIND
  PERIOD PIPESTATUS POSIXLY_CORRECT POSTEDIT PROMPT PROMPT_COMMAND PROMPT_DIRTRIM PROMPT_EOL_MARK
  PS0 PS1 PS2 PS3 PS4 READLINE_LINE READLINE_POINT REPLY REPORTMEMORY REPORTTIME RPROMPT RPROMPT2
  RPS1 RPS2 SAVEHIST SECONDS SHELL SHLVL SRANDOM STTY TERMCAP TERMINFO TERMINFO_DIRS TEXTDOMAIN
  TEXTDOMAINDIR TIMEFMT TIMEFORMAT TMOUT TMPDIR TMPPREFIX TMPSUFFIX TZ USERNAME VISUAL WATCHFMT
  WORDCHARS ZBEEP ZDOTDIR ZLS_COLORS auto_resume chpwd_functions histchars ignoreeof match mbegin
  mend periodic_functions precmd_functions preexec_functions reply zle_highlight
  zshaddhistory_functions zshexit_functions`.split(/\s+/);

/** Not special, to check that such names are kept. */
const plain = ['APP_NAME', 'LD_PRELOAD', 'NODE_OPTIONS', 'PREFIX', '__proto__'];

const names = [...new Set([...texts, ...plain, ...documented, ...namesOfShells()])];

/** Values that create a file if any part of them runs; zsh only evaluates existing names. */
const hostile = (file: string): readonly string[] => [
  `PATH[$(:>${file})]`,
  `$(:>${file})`,
  `\`:>${file}\``,
  `/dev/null?$(:>${file})' ; :>${file} #"`,
];
const numbers = ['0', '7', '08', '999999999'];

interface Sourced {
  readonly value: string;
  readonly text: string;
  readonly format: string;
  readonly kept: readonly string[];
}

const hasZsh = shells.some(({ name }) => name === 'zsh');

test.skipIf(!hasZsh)('there are 200 names to try', () => {
  expect(names.length).toBeGreaterThanOrEqual(200);
});

test('hostile values run nothing in any shell, and all others round-trip', async () => {
  const home = await useHome();
  const pwned = join(home.root, 'pwned');
  for (const sourced of await written(home, hostile(pwned))) {
    expect(sourced.kept).toEqual(expect.arrayContaining([...texts, ...plain]));
    await check(home, sourced, [...sourced.kept]);
  }
  expect(existsSync(pwned)).toBe(false);
});

test('omitted variables would run code, and --all-names includes them', async () => {
  const home = await useHome();
  const pwned = join(home.root, 'pwned');
  const [sourced] = await written(home, hostile(pwned).slice(0, 1), ['--all-names']);
  expect(sourced?.kept).toEqual(names);
  const [script = ''] = /^RANDOM=.*$/m.exec(sourced?.text ?? '') ?? [];
  for (const shell of shells.filter(({ name }) => name !== 'dash')) {
    await source(shell, script, home);
    expect(existsSync(pwned), shell.name).toBe(true);
    await rm(pwned);
  }
});

test('numbers and terminal variables round-trip', async () => {
  const home = await useHome();
  for (const sourced of await written(home, numbers)) {
    const isSize = sourced.value === '0' || sourced.value === '7';
    expect(sourced.kept.includes('COLUMNS')).toBe(isSize);
    expect(sourced.kept).not.toContain('UID');
    await check(home, sourced, [...texts, ...plain]);
  }
});

test.each(shells)('$name runs nothing at its prompt, nor does a nested shell', async (shell) => {
  const home = await useHome();
  const pwned = join(home.root, 'pwned');
  const below = ['bash', 'dash', 'zsh'].map(whereIs).filter(Boolean);
  const start = below.flatMap((program) => [`${program} -c :`, `${program} -i -c :`]);
  for (const { text: lines } of await written(home, hostile(pwned))) {
    await writeFile(join(home.root, 'env'), lines);
    const script = ['set -a', `. ${home.root}/env`, ':', ...start, ':', 'printf "$SENTINEL"', ''];
    const [program, ...args] = shell.command;
    const { stdout } = await run(program, [...args, '-i'], home, script.join('\n'));
    expect(stdout).toMatch(/here$/);
  }
  expect(existsSync(pwned)).toBe(false);
});

/** The output for each value under all names, in both formats. */
async function written(
  home: Home,
  values: readonly string[],
  flags: readonly string[] = [],
): Promise<Sourced[]> {
  const ways = values.flatMap((value) => ['dotenv', 'export'].map((format) => ({ value, format })));
  return Promise.all(
    ways.map(async ({ value, format }) => {
      const env = [...names.map((name) => [name, value]), ['SENTINEL', 'here']];
      const body = JSON.stringify({ env: Object.fromEntries(env) as object });
      const path = `${acme}/pipelines/web/builds/7/jobs/${id}/env`;
      const headers = { 'content-type': 'application/json' };
      const { url } = await serve([{ path, answer: { body, headers } }]);
      const { stdout, stderr } = await cictl(
        ['job', 'env', `7#${id}`, '--format', format, ...flags],
        {
          home,
          env: leadTo(url),
        },
      );
      const kept = names.filter((name) => !new RegExp(`"${name}"`).test(stderr));
      return { value, text: stdout, format, kept };
    }),
  );
}

/** Sources the lines in every shell in both ways and compares the resulting variables. */
async function check(home: Home, sourced: Sourced, expected: readonly string[]): Promise<void> {
  const file = join(home.root, 'env');
  await writeFile(file, sourced.text);
  const loads = [`. ${file}`, `eval "$(cat ${file})"`];
  const tries = shells.flatMap((shell) => loads.map((load) => ({ shell, load })));
  const print = [...expected, 'SENTINEL'].map((name) => `printf '%s\\0' "$${name}"`);
  await Promise.all(
    tries.map(async ({ shell, load }) => {
      const found = await source(shell, [load, ...print].join('\n'), home);
      const values = Object.fromEntries(expected.map((name, at) => [name, found[at]]));
      const wanted = Object.fromEntries(expected.map((name) => [name, sourced.value]));
      const what = `${shell.name}: ${load} (${sourced.format} of ${sourced.value})`;
      expect(values, what).toEqual(wanted);
      expect(found[expected.length], what).toBe('here');
    }),
  );
}

async function source({ command: [program, ...args] }: Shell, script: string, home: Home) {
  const { stdout } = await run(program, [...args, '-c', script], home);
  return stdout.split('\0');
}

async function run(program: string, args: readonly string[], home: Home, input = '') {
  const child = spawn(program, args, { cwd: home.cwd, env: home.env });
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}
