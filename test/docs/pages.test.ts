/** Runs every command that the pages in `docs` show, page by page, in a checkout of `examples/hello`. */
import { readFileSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';
import { scriptOf, shellBlocks } from './shell-blocks.ts';

const top = join(import.meta.dirname, '../..');

/** Pages whose commands another test runs, because they need agents or npm. */
const elsewhere: Readonly<Record<string, string>> = {
  'agents.md': 'agents-page.test.ts',
  'commands.md': '../house/commands.test.ts',
  'install.md': '../package/global-install.test.ts',
};

const pages = readdirSync(join(top, 'docs'))
  .filter((name) => name.endsWith('.md') && elsewhere[name] === undefined)
  .map((name) => ({ name, text: readFileSync(join(top, 'docs', name), 'utf8') }));

let home: Home;
let env: Record<string, string>;
let hosted: { readonly service: string; readonly token: string };

const bash = (script: string) =>
  execa('bash', ['-c', script], {
    cwd: join(home.cwd, 'hello'),
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });

beforeAll(async () => {
  home = await createHome();
  env = await withPrograms(home);
  await cp(join(top, 'examples'), home.cwd, { recursive: true });
  const { exitCode, stderr } = await bash(`set -e
    git init -q -b main && git add . && git -c user.name=A -c user.email=a@example.com commit -q -m hello
    cictl local up
    cictl run
    cictl run ../failing || test $? = 1
    cictl run ../blocked || test $? = 4`);
  expect(exitCode, stderr).toBe(0);
  const { stdout: url } = await bash('cictl profile view local --jq .baseUrl');
  const { stdout: token } = await bash('cictl local token create');
  // Where pages log in to a hosted service, the built-in one has to do.
  hosted = { service: `--service ${url}`, token };
});

beforeEach(async () => {
  await bash('cictl local up; cictl profile use local');
});

afterAll(async () => {
  await bash('cictl local down');
  await home.remove();
});

test.each(pages)('the commands of $name work', async ({ text }) => {
  for (const block of shellBlocks(text)) {
    const script = scriptOf(block).replaceAll('--service buildkite', hosted.service);
    const { exitCode, stdout, stderr } = await bash(`TOKEN=${hosted.token}\n${script}`);
    expect(exitCode, `${block}\n${stdout}\n${stderr}`).toBe(0);
  }
});

test('pages that another test covers exist', () => {
  expect(readdirSync(join(top, 'docs'))).toEqual(expect.arrayContaining(Object.keys(elsewhere)));
});
