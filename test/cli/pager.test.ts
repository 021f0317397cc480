/** Which output goes through a pager on a terminal. */
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
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
