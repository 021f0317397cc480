/** `builds list --creator` with a user ID, or `me` for the token's user. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';
import { useService } from '../support/service.ts';

const id = '018f5a3e-1111-4222-8333-944445555666';
const token = { uuid: 't', scopes: ['read_builds'] };

async function list(creator: string, exchanges: readonly Exchange[]) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return cictl(['builds', 'list', '--creator', creator], { env });
}

const builds: Exchange = {
  path: `/v2/organizations/acme/pipelines/web/builds?per_page=30&creator=${id}`,
  answer: { json: [] },
};
const ownToken = (user: unknown): Exchange => ({
  path: '/v2/access-token',
  answer: { json: { ...token, user } },
});
const user: Exchange = { path: '/v2/user', answer: { json: { id, name: 'Ada' } } };

test.each([
  ['me', [ownToken({ id, name: 'Ada' }), builds]],
  ['@ME', [ownToken({ id, name: 'Ada' }), builds]],
  ['me', [ownToken(null), user, builds]],
  ['me', [ownToken(undefined), user, builds]],
  [id, [builds]],
])('%s looks up the user once, if necessary', async (creator, exchanges) => {
  expect((await list(creator, exchanges)).exitCode).toBe(0);
});

test.each(['ada', 'ada@example.com', '', '42', 'VXNlci0tLTE='])(
  '%j is not a user, and nothing is sent',
  async (creator) => {
    const { stderr, exitCode } = await list(creator, []);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `cictl: --creator must be a user UUID or me, not ${JSON.stringify(creator)}\n` +
        '  try: cictl builds list --creator me\n',
    );
  },
);

test('a token that cannot read its user is told the scope', async () => {
  const refused = { ...user, answer: { status: 403, json: { message: 'Forbidden' } } };
  const { stderr, exitCode } = await list('me', [ownToken(null), refused]);
  expect(exitCode).toBe(6);
  expect(stderr).toContain('read_user');
});

test('the built-in service knows the user of a token', async () => {
  const { home } = await useService();
  const { stderr, exitCode } = await cictl(['builds', 'list', '--creator', 'me'], { home });
  expect({ stderr, exitCode }).toEqual({ stderr: 'no builds found\n', exitCode: 0 });
});
