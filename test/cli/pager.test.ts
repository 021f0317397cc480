/** Which output goes through a pager on a terminal. */
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const path = '/v2/organizations/acme/pipelines/web/builds/7';
const job = {
  id,
  type: 'script',
  name: 'test',
  state: 'passed',
  started_at: '2026-01-01T00:00:00Z',
};
const build: Exchange = { path, answer: { json: { number: 7, jobs: [job] } } };
const withRetried: Exchange = { ...build, path: `${path}?include_retried_jobs=true` };
const log: Exchange = {
  path: `${path}/jobs/${id}/log.txt`,
  answer: { headers: { 'content-type': 'text/plain' }, body: 'made\n' },
};
const user: Exchange = { path: '/v2/user', answer: { json: { id: 'test' } } };

test.skipIf(!hasTerminal).each<[string, string[], Exchange[], boolean]>([
  ['a list is read in it', ['job', 'list', 'web/7'], [build], true],
  ['a log is read in it', ['job', 'log', 'web/7#test'], [build, log], true],
  [
    'a log that is followed is not',
    ['job', 'log', 'web/7#test', '--follow'],
    [build, withRetried, log],
    false,
  ],
  ['what is asked of the API is not', ['api', '/v2/user'], [user], false],
])('%s', async (_, args, exchanges, isPaged) => {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const pager = { CICTL_PAGER: "sed 's/^/paged: /'" };
  const { screen } = await cictlInTerminal(args, {
    home: await useHome(),
    env: { ...env, ...pager },
  });
  expect(screen).toMatch(/test|made/);
  expect(screen.includes('paged: ')).toBe(isPaged);
});

const jobs = Array.from({ length: 20 }, (_, n) => ({ ...job, id: `${id.slice(0, -2)}${n + 10}` }));
const marked = (name: string): string => `#!/bin/sh\nsed "s/^/${name} $*: /"\n`;
const program = { less: marked('less'), more: marked('more') };

/** `job list` with 20 jobs in a terminal with that many rows. */
async function listed(rows: number, env: Readonly<Record<string, string | undefined>>) {
  const { url } = await serve([{ path, answer: { json: { number: 7, jobs } } }]);
  const home = await useHome();
  const { screen } = await cictlInTerminal(['job', 'list', 'web/7'], {
    home,
    rows,
    env: {
      ...(await withPrograms(home, program)),
      ...{ CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PAGER: undefined },
      ...env,
    },
  });
  expect(screen).toContain('test');
  return /^.*?(less|more)[^:]*(?=: )/.exec(screen)?.[0] ?? '';
}

test.skipIf(!hasTerminal).each<[string, number, Record<string, string | undefined>, string]>([
  ['what the screen is too small for is read in less', 20, {}, 'less -FRX'],
  ['what just fits is not', 22, {}, ''],
  ['one row less is', 21, {}, 'less -FRX'],
  ['PAGER comes before less', 20, { PAGER: 'more -s' }, 'more -s'],
  ['PAGER gets nothing that fits', 22, { PAGER: 'more -s' }, ''],
  ['CICTL_PAGER comes before PAGER', 20, { CICTL_PAGER: 'more', PAGER: 'less' }, 'more '],
  ['CICTL_PAGER gets what fits, too', 30, { CICTL_PAGER: 'more' }, 'more '],
  ['an empty PAGER is none', 20, { PAGER: '' }, ''],
  ['an empty CICTL_PAGER is none', 20, { CICTL_PAGER: '', PAGER: 'more' }, ''],
  ['a dumb terminal has none', 20, { TERM: 'dumb' }, ''],
  ['nor has who is never asked', 20, { CICTL_NO_INPUT: '1' }, ''],
])('%s', async (_, rows, env, pager) => {
  expect(await listed(rows, env)).toBe(pager);
});
