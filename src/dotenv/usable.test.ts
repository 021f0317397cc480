import { expect, test } from 'vitest';
import { isHarmless } from './usable.ts';

test.each([
  'PATH HOME TERM LANG LC_ALL LC_CTYPE PWD OLDPWD USER LOGNAME MANPATH SHELL HOSTNAME TZ TMPDIR',
  'LD_PRELOAD NODE_OPTIONS PYTHONSTARTUP EDITOR PREFIX CI VERSION app_status zsh bash',
])('%s: any value is plain text to a shell', (names) => {
  for (const name of names.split(' ')) expect(isHarmless(name, 'a[$(id)]'), name).toBe(true);
});

test.each([
  'UID EUID GID EGID PPID BASHPID SHELLOPTS BASHOPTS BASH_VERSINFO HISTCMD LINENO SRANDOM status _',
  'path argv options commands PROMPT_COMMAND PS1 PS4 BASH_ENV ENV ZDOTDIR IFS TMOUT HISTFILE',
  'HISTFILESIZE USERNAME BASH_ANYTHING_NEW ZSH_ANYTHING_NEW zle_highlight',
])('%s: no value is harmless', (names) => {
  for (const name of names.split(' ')) {
    for (const value of ['', '0', '42', 'x']) expect(isHarmless(name, value), name).toBe(false);
  }
});

test.each([
  ['RANDOM', '42', true],
  ['RANDOM', 'a[$(id)]', false],
  ['RANDOM', '', false],
  ['RANDOM', '-1', false],
  ['RANDOM', '0x1F', false],
  ['RANDOM', '1\n', false],
  ['OPTIND', '1', true],
  ['OPTIND', '08', false],
  ['OPTIND', '9999999999', false],
  ['SECONDS', '86400', true],
  ['COLUMNS', '160', true],
  ['COLUMNS', '99999', false],
  ['SHLVL', '2', true],
  ['HISTSIZE', '1000', true],
  ['HISTSIZE', '0', false],
  ['SAVEHIST', '10', false],
  ['FUNCNEST', '1', false],
  ['MAIL', '/var/mail/root', true],
  ['MAIL', '/dev/null?$(id)', false],
])('%s=%j: %j', (name, value, harmless) => {
  expect(isHarmless(name, value)).toBe(harmless);
});
