/** `builds list --numbers` prints only what the next command in a pipe accepts as BUILD. */
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve } from '../support/server.ts';

const builds = [
  { number: 142, state: 'failed', pipeline: { slug: 'web' }, url: address('web', 142) },
  { number: 7, state: 'passed', pipeline: { slug: 'api' }, url: address('api', 7) },
];

const answer = { json: builds };
const ofPipeline = { path: `${acme}/pipelines/web/builds?per_page=30`, answer };
const ofOrganization = { path: `${acme}/builds?per_page=30`, answer };
const ofAll = { path: '/v2/builds?per_page=30', answer };

test.each([
  [[], ofPipeline, '142\n7\n'],
  [['--all-pipelines'], ofOrganization, 'web/142\napi/7\n'],
  [['--all-orgs'], ofAll, 'acme/web/142\nacme/api/7\n'],
])('%j: prints one per line, as references across pipelines', async (more, exchange, lines) => {
  const { exitCode, stdout } = await against([exchange], ['builds', 'list', '--numbers', ...more]);
  expect([exitCode, stdout]).toEqual([0, lines]);
});

test('ignores the output format of the settings', async () => {
  const options = { env: { CICTL_OUTPUT: 'json' } };
  const { stdout } = await against([ofPipeline], ['builds', 'list', '--numbers'], options);
  expect(stdout).toBe('142\n7\n');
});

test.skipIf(!hasTerminal)('prints the same on a terminal', async () => {
  const { url } = await serve([ofPipeline]);
  const options = {
    home: await useHome(),
    env: { ...leadTo(url), NO_COLOR: '1', CICTL_PAGER: 'cat' },
  };
  const { screen } = await cictlInTerminal(['builds', 'list', '--numbers', '--quiet'], options);
  expect(screen.split('\r\n').map((line) => line.replace(/^.*[\r\x1b]\S*/, ''))).toEqual([
    '142',
    '7',
    '',
  ]);
});

test.each([['--json'], ['-o', 'table'], ['-o', 'tsv'], ['--fields', 'id'], ['--jq', '.']])(
  'with %s, exits with 2 before any request',
  async (...form) => {
    const { exitCode, stdout, stderr } = await against(
      [],
      ['builds', 'list', '--numbers', ...form],
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--numbers and \S+ cannot be used together/);
  },
);

function address(pipeline: string, number: number): string {
  return `https://api.example.org${acme}/pipelines/${pipeline}/builds/${number}`;
}
