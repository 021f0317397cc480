/** The package contains what its users need, and nothing else. */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createHome } from '../support/home.ts';

const expected = [
  /^(CHANGELOG|README)\.md$|^LICENSE$|^package\.json$/,
  /^bin\/((cictl|keep-scripts|remove-oldest)\.js|package\.json)$/,
  /^dist\/(help\.json|service\.js|completion-(bash|zsh|fish|powershell)\.txt)$/,
  /^dist\/(main|service|string-width|jq-worker|load-worker|markdown-worker|job-starter|buildkite-agent|[\w.-]+-[0-9a-z]{8})\.cjs$/,
  /^dist\/THIRD-PARTY-LICENSES\.txt$|^dist\/man\/cictl[\w-]*\.1$/,
  /^dist\/types\/[\w/.-]+\.d\.ts$/,
  /^completions\/[\w.-]+$/,
];
const needed = [
  'LICENSE',
  'README.md',
  'bin/cictl.js',
  'bin/keep-scripts.js',
  'bin/remove-oldest.js',
  'bin/package.json',
  'dist/jq-worker.cjs',
  'dist/job-starter.cjs',
  'dist/load-worker.cjs',
  'dist/markdown-worker.cjs',
  ...['bash', 'zsh', 'fish', 'powershell'].map((shell) => `dist/completion-${shell}.txt`),
  'dist/help.json',
  'dist/THIRD-PARTY-LICENSES.txt',
  'dist/man/cictl.1',
  'dist/man/cictl-builds-list.1',
  'dist/main.cjs',
  'dist/service.js',
  'dist/string-width.cjs',
];

test('the packed files are the tool and its documents', async () => {
  const files = await packed();
  expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(needed));
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

async function packed(): Promise<string[]> {
  const home = await createHome();
  try {
    const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: new URL('../..', import.meta.url),
      env: home.env,
      extendEnv: false,
    });
    return (JSON.parse(stdout) as Packed[]).flatMap(({ files }) => files.map(({ path }) => path));
  } finally {
    await home.remove();
  }
}
