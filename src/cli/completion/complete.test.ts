import { expect, test } from 'vitest';
import { complete } from './complete.ts';

const known = { profiles: () => ['local', 'work'], topics: ['exit-codes', 'flags'] };

const offered = (line: string): string[] =>
  complete(line.split(' '), known).map(({ text }) => text);

test.each([
  ['bui', ['builds']],
  ['builds ca', ['cancel']],
  ['build c', ['create', 'cancel']],
  ['--json builds vi', ['view']],
  ['--org acme builds vi', ['view']],
  ['builds list --created-', ['--created-from', '--created-to']],
  ['builds list --no-c', ['--no-cache', '--no-color']],
  ['builds list --state fail', ['failing', 'failed']],
  ['builds list -s not', ['not_run']],
  ['builds list --state=block', ['--state=blocked']],
  ['annotate --style w', ['warning']],
  ['--profile w', ['work']],
  ['builds list -o j', ['json', 'jsonl']],
  ['builds list --fields num', ['number']],
  ['builds list --fields number,sta', ['number,state', 'number,started_at']],
  ['builds list --fields pipeline.sl', ['pipeline.slug']],
  ['help exi', ['exit-codes']],
  ['profile use ', ['local', 'work']],
  ['profile use local ', []],
  ['profile set base', ['base-url']],
  ['-q profile set org ', []],
  ['completion z', ['zsh']],
  ['completion zsh ', []],
  ['rules create --type pipeline.t', ['pipeline.trigger_build.pipeline']],
  ['job list --state timed', ['timed_out']],
  ['metrics --format p', ['prometheus']],
  ['auth login --service lo', ['local']],
  ['token re', ['revoke']],
  ['builds list --limit ', []],
  ['annotate -- --st', []],
  ['nonsense ', expect.arrayContaining(['builds'])],
])('%s', (line, expected) => {
  expect(offered(line)).toEqual(expected);
});

test('says what each word does', () => {
  expect(complete(['builds', 'canc'], known)).toEqual([
    { text: 'cancel', summary: 'Cancel builds' },
  ]);
});
