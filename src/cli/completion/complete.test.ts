import { expect, test } from 'vitest';
import { complete } from './complete.ts';

const topics = ['exit-codes', 'flags'];

const offered = (line: string): string[] =>
  complete(line.split(' '), topics).candidates.map(({ text }) => text);

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
  ['builds list -s FAIL', ['failing', 'failed']],
  ['builds list --state=Block', ['--state=blocked']],
  ['builds list -s FAILED,FAIL', ['FAILED,failing']],
  ['job env web/1 -- ', []],
  ['builds view -- --j', []],
  ['builds list -sfail', ['-sfailing', '-sfailed']],
  ['builds list -sfailed,pass', ['-sfailed,passed']],
  ['builds list -qs', []],
  ['builds list --state=block', ['--state=blocked']],
  ['builds list --state failed,fail', ['failed,failing']],
  ['builds list -s failed -s fail', ['failing']],
  ['builds list -s failed --state=passed,fail', ['--state=passed,failing']],
  ['annotate --style w', ['warning']],
  ['builds list -o j', ['json', 'jsonl']],
  ['builds list --fields num', ['number']],
  ['builds list --fields dur', ['duration']],
  ['builds list --fields number,sta', ['number,state', 'number,started_at', 'number,status']],
  ['builds list --fields state,sta', ['state,started_at', 'state,status']],
  ['builds list --fields pipeline.sl', ['pipeline.slug']],
  ['builds list --fields pipeline.slug,pipeline.sl', []],
  [
    'builds list --json=number,sta',
    ['--json=number,state', '--json=number,started_at', '--json=number,status'],
  ],
  ['help exi', ['exit-codes']],
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

test('describes each word', () => {
  expect(complete(['builds', 'canc'], topics).candidates).toEqual([
    { text: 'cancel', summary: 'Cancel builds' },
  ]);
});

test("offers the command's flags first, then the global ones", () => {
  const flags = offered('builds list --');
  expect(flags[0]).toBe('--state');
  expect(flags.indexOf('--all-orgs')).toBeLessThan(flags.indexOf('--profile'));
});

test('offers a flag again only if it can be repeated', () => {
  expect(offered('builds list --limit 3 -s failed --li')).toEqual([]);
  expect(offered('builds list -s failed --sta')).toEqual(['--state']);
});

test.each([
  ['builds view ', 'builds', '', '', []],
  ['builds cancel 1 ', 'unfinished builds', '', '', ['1']],
  ['builds list we', 'targets', '', 'we', []],
  ['builds list -b main -b ', 'branches', '', '', ['main']],
  ['builds list --branch=ma', 'branches', '--branch=', 'ma', []],
  ['job log web/1#', 'jobs', '', 'web/1#', []],
  ['job retry --build ', 'builds', '', '', []],
  ['job unblock ', 'blocked jobs', '', '', []],
  ['annotations view li', 'contexts', '', 'li', []],
  ['metrics --queue ', 'queues', '', '', []],
  ['--profile w', 'profiles', '', 'w', []],
  ['profile use ', 'profiles', '', '', []],
  ['builds view -pw', 'pipelines', '-p', 'w', []],
  ['builds view -- w', 'builds', '', 'w', []],
  ['builds cancel -- 1 2', 'unfinished builds', '', '2', ['1']],
  ['builds view -p ', 'pipelines', '', '', []],
  ['--org a', 'organizations', '', 'a', []],
  ['rules delete ', 'rules', '', '', []],
  ['local pipeline remove ', 'local pipelines', '', '', []],
  ['local agent stop a', 'local agents', '', 'a', []],
  ['local agents pause ', 'local agents', '', '', []],
  ['local agent-token revoke ', 'local agent tokens', '', '', []],
  ['local secret remove ', 'local secrets', '', '', []],
])('looks up %s as %s', (line, kind, prefix, current, given) => {
  const { candidates, lookUp } = complete(line.split(' '), topics);
  expect(candidates).toEqual([]);
  expect(lookUp).toMatchObject({ kind, prefix, current, given });
});

test('does not look up an argument that is already there', () => {
  expect(complete('builds view 1 '.split(' '), topics).lookUp).toBeUndefined();
});
