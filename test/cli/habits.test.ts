/** Lines typed from habit or by mistake are rejected, and the error names the intended line. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { sampled } from '../support/full.ts';

/** The typed line, and the line in the error. Without a token, no request can be sent. */
const rows: readonly (readonly [string, string])[] = [
  ['logs', 'job log'],
  ['logs 141', 'job log --build 141'],
  ['log web/141#unit --tail 50', 'job log web/141#unit --tail 50'],
  ['job logs web/141#unit', 'job log web/141#unit'],
  ['build logs 141', 'job log --build 141'],
  ['tail web/141#unit', 'job log web/141#unit'],
  ['watch', 'builds watch'],
  ['watch 141 --timeout 1h', 'builds watch 141 --timeout 1h'],
  ['view 12', 'builds view 12'],
  ['view web/12#unit', 'job view web/12#unit'],
  ['show 12', 'builds view 12'],
  ['open 12', 'builds view 12'],
  ['browse 12', 'builds view --web 12'],
  ['build 12', 'builds view 12'],
  ['builds latest', 'builds view latest'],
  ['build acme/web/12 -q', 'builds view acme/web/12 -q'],
  [
    'build https://ci.example/acme/web/builds/12',
    'builds view https://ci.example/acme/web/builds/12',
  ],
  ['12', 'builds view 12'],
  ['web/12#unit', 'job view web/12#unit'],
  ['jobs 12', 'job list 12'],
  ['job web/12#unit', 'job view web/12#unit'],
  ['annotations 12', 'annotations list 12'],
  ['builds show 12', 'builds view 12'],
  ['job get web/12#unit', 'job view web/12#unit'],
  ['retry', 'job retry'],
  ['retry 141', 'job retry --failed --build 141'],
  ['retry web/141#unit', 'job retry web/141#unit'],
  ['rerun 141', 'builds rebuild 141'],
  ['rebuild 141 --watch', 'builds rebuild 141 --watch'],
  ['restart web/141#unit', 'job retry web/141#unit'],
  ['cancel 141', 'builds cancel 141'],
  ['cancel 141 142 -y', 'builds cancel 141 142 -y'],
  ['stop web/141', 'builds cancel web/141'],
  ['job cancel web/141#unit', 'builds cancel web/141'],
  ['job cancel unit --build 141', 'builds cancel 141'],
  ['unblock web/142#gate --field version=1.4', 'job unblock web/142#gate --field version=1.4'],
  ['approve web/142#gate', 'job unblock web/142#gate'],
  ['new -m first', 'builds create -m first'],
  ['trigger --branch main', 'builds create --branch main'],
  ['builds new', 'builds create'],
  ['list -s failed', 'builds list -s failed'],
  ['list builds', 'builds list'],
  ['cancel build 12', 'builds cancel 12'],
  ['get jobs 12', 'job list 12'],
  ['get builds', 'builds list'],
  ['get build 12', 'builds view 12'],
  ['get orgs', 'orgs list'],
  ['rerun web/141 --failed', 'job retry --failed --build web/141'],
  ['run view 12 --log-failed', 'job log --failed --build 12'],
  ['run view 12 --log', 'job log --build 12'],
  ['builds view 12#unit --log', 'job log 12#unit'],
  ['job cancel unit', 'builds cancel'],
  ['unblock 142', 'job unblock --build 142'],
  ['env 12', 'job env --build 12'],
  ['stats', 'metrics'],
  ['top', 'metrics'],
  ['user', 'auth status'],
  ['inspect 12', 'builds view 12'],
  ['pipeline web', 'builds list web'],
  ['pipeline create .', 'local pipeline add .'],
  ['pipeline view web', 'builds list web'],
  ['config get org', 'profile view --fields org'],
  ['org switch acme', 'profile set org acme'],
  ['pr checks', 'builds view'],
  ['ci trace 12#unit', 'job log 12#unit'],
  ['bk build list', 'build list'],
  ['gh run list', 'builds list'],
  ['cictl builds list -s failed', 'builds list -s failed'],
  ['-v', '--version'],
  ['builds -L 2 list --numbers', 'builds list --numbers -L 2'],
  ['builds view web 1', 'builds view web/1'],
  ['builds view acme web 1 --debug', 'builds view acme/web/1 --debug'],
  ['builds list acme web -L 3', 'builds list acme/web -L 3'],
  ['job log web/1 unit --tail 5', 'job log web/1#unit --tail 5'],
  ['job log web/1 --job unit', 'job log web/1#unit'],
  ['job view unit web/1', 'job view unit --build web/1'],
  ['annotate hi web/1', 'annotate hi --build web/1'],
  ['builds create web -m x', 'builds create --pipeline web -m x'],
  ['builds list \u2014state failed \u2013L 5', 'builds list --state failed -L 5'],
  ['builds list --no-limit', 'builds list --all'],
  ['job list 12 -s failed', 'job list 12 --state failed'],
  ['failures 141', 'builds failures 141'],
  ['login --profile work', 'auth login --profile work'],
  ['logout', 'auth logout'],
  ['whoami', 'auth status'],
  ['status', 'auth status'],
  ['status 12', 'builds view 12'],
  ['version', '--version'],
  ['config set org acme', 'profile set org acme'],
  ['switch work', 'profile use work'],
  ['up', 'local up'],
  ['pipelines', 'builds list --all-pipelines'],
  ['agents', 'metrics'],
  ['biulds list -s failed', 'builds list -s failed'],
  ['builds lsit', 'builds list'],
  ['-s failed builds list', 'builds list -s failed'],
  ['--profile work logs 12', '--profile work job log --build 12'],
  ['builds view 12 -w', 'builds view 12 --web'],
  ['builds view --build 12', 'builds view 12'],
  ['builds list -R acme/web', 'builds list --pipeline web --org acme'],
  ['builds list -R web -n 5', 'builds list --pipeline web --limit 5'],
  ['job log 12#unit -n5', 'job log 12#unit --tail 5'],
  ['builds list --since=7d', 'builds list --created-from 7d'],
  ['builds list --mine --failed', 'builds list --creator me --state failed'],
  ['builds list --status failed', 'builds list --state failed'],
  ['builds watch 12 --exit-status', 'builds watch 12'],
  ['job log 12#unit -f', 'job log 12#unit --follow'],
  ['builds list --verbose', 'builds list --debug'],
  ['builds list --stat failed', 'builds list --state failed'],
  ['run view 12', 'builds view 12'],
  ['run list', 'builds list'],
  ['orgs acme', 'orgs view acme'],
  ['rules rm 0190046e', 'rules delete 0190046e'],
  ['profile rm work', 'profile remove work'],
  ['builds list --token abc -s failed', 'builds list -s failed'],
  ['auth login --token=abc', 'auth login --with-token'],
  ['builds view web', 'builds list web'],
  ['help logs', 'help job log'],
  ['builds list --jsn', 'builds list --json'],
  ['log --build 12 --job unit', 'job log --build 12 unit'],
];

sampled.each(rows)('%s means %s', async (typed, meant) => {
  const { stdout, stderr, exitCode } = await cictl(typed.split(' '));
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(`  try: cictl ${meant}`);
  expect(stderr).not.toContain('abc');
});

test('quotes arguments as the shell needs them', async () => {
  const { stderr } = await cictl(['logs', "12#It's a job", '--grep', 'a b']);
  expect(stderr).toContain(String.raw`  try: cictl job log '12#It'\''s a job' --grep 'a b'`);
});

test('with --json, the line is in the error', async () => {
  const { stderr, exitCode } = await cictl(['logs', '141', '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { kind: 'usage', hint: 'cictl job log --build 141 --json' },
  });
});

test('canceling one job and status are explained', async () => {
  expect((await cictl(['job', 'cancel', '12#unit'])).stderr).toContain(
    'a single job cannot be canceled',
  );
  expect((await cictl(['status'])).stderr).toContain('for the local service, local status');
});

sampled.each([
  ['builds list --json number,state', 'builds list --json=number,state'],
  ['builds list --json number', 'builds list --json=number'],
  ['builds view 12 --json number,pipeline.slug', 'builds view 12 --json=number,pipeline.slug'],
  ['job list --json id 12', 'job list --json=id 12'],
  ['orgs list --json slug', 'orgs list --json=slug'],
])('%s has its fields in a word apart', async (typed, meant) => {
  const { stderr, exitCode } = await cictl(typed.split(' '));
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      message: expect.stringContaining('--json requires = before its fields') as string,
      hint: `cictl ${meant}`,
    },
  });
});
