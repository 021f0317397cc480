import { execFileSync } from 'node:child_process';
import { mkdtempSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { looksSecret } from './secret.ts';
import { writeDotenv } from './write.ts';

const hostile = [
  '',
  'plain/path:1,2@x%+.-_',
  'two words',
  'new\nline\n',
  '\n\n',
  "it's",
  'say "hi"',
  `both ' and "`,
  '$HOME ${HOME} $(id) `id`',
  `'$(touch pwned)'`,
  '\\ \\\\ \\n',
  `\\'`,
  `' \\\n "`,
  '#not a comment',
  'tab\tand\rreturn',
  '!history!',
  '~/home',
  '*?[a]',
  'ünïcödé 🚀',
  '=a=b',
  ' leading and trailing ',
  '; touch pwned;',
];

const shells = ['bash', 'dash', 'zsh'].filter((shell) => existsSync(`/bin/${shell}`));

test.each(shells)('%s reads every value back and runs nothing', (shell) => {
  const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
  const variables = Object.fromEntries(hostile.map((value, index) => [`V${index}`, value]));
  for (const exported of [false, true]) {
    writeFileSync(join(folder, 'env'), writeDotenv(variables, { exported }).text);
    const print = hostile.map((_, index) => `printf '%s\\0' "$V${index}"`).join('\n');
    const read = execFileSync(shell, ['-c', `set -a; . ./env; ls -a >&2; ${print}`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(read.toString().split('\0').slice(0, -1)).toEqual(hostile);
  }
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});

test('leaves out names that are no names, or that bash holds read-only', () => {
  const variables = {
    OK: '1',
    ODD: null,
    NUL: 'a\0b',
    'a[$(id)]': 'x',
    'A B': 'x',
    '1A': 'x',
    '': 'x',
    UID: '0',
    'A\nB': 'x',
    'BASH_FUNC_ls%%': '() { id; }',
  };
  const { text, omitted } = writeDotenv(variables);
  expect(text).toBe('OK=1\n');
  expect(omitted.map(({ name }) => name)).toEqual(
    Object.keys(variables).filter((name) => name !== 'OK'),
  );
});

test.each([
  ['API_TOKEN', true],
  ['AWS_SECRET_ACCESS_KEY', true],
  ['db_password', true],
  ['DB_PASSWD', true],
  ['AZURE_CONNECTION_STRING', true],
  ['DATABASE_URL', true],
  ['TEST_DATABASE_URL', true],
  ['MYSQL_PWD', true],
  ['PGPASSWORD', true],
  ['GH_PAT', true],
  ['AUTHORIZATION', true],
  ['GPG_PASSPHRASE', true],
  ['GOOGLE_CREDENTIALS', true],
  ['PWD', false],
  ['OLDPWD', false],
  ['PATH', false],
  ['PATTERN', false],
  ['HOMEPAGE_URL', false],
  ['KEYBOARD', false],
  ['MONKEY', false],
  ['BUILDKITE_BRANCH', false],
  ['BUILDKITE_STEP_KEY', false],
])('%s looks secret: %s', (name, secret) => {
  expect(looksSecret(name)).toBe(secret);
});
