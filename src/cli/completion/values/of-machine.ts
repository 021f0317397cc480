/** Values that this machine has: no request leaves it. */
import { readProfiles } from '../../../config/profiles.ts';
import { gitOutput } from '../../../common/git.ts';
import { plain } from '../candidate.ts';
import type { Source } from './world.ts';

export const profiles: Source = (_typed, { world }) =>
  Promise.resolve(plain([...readProfiles(world.env).profiles.keys()]));

/** Those of the checkout and of its remotes, the one that was changed last first. */
export const branches: Source = async (_typed, { world }) => {
  const format = '%(refname)%09%(committerdate:relative)%09%(contents:subject)';
  const args = ['for-each-ref', '--sort=-committerdate', `--format=${format}`];
  const refs = (await gitOutput(world.cwd, [...args, 'refs/heads', 'refs/remotes'])) ?? '';
  const found = new Map<string, string>();
  for (const line of refs.split('\n')) {
    const [ref = '', age = '', subject = ''] = line.split('\t');
    const name = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/.exec(ref)?.[1];
    if (name === undefined || name === 'HEAD' || found.has(name)) continue;
    found.set(name, `${age}  ${subject}`);
  }
  return [...found].map(([text, summary]) => ({ text, summary }));
};

/** Of the built-in service, while it runs: its kind, and the members that name and describe one. */
const ofLocalService =
  (...what: [kind: string, name: string, summary: string]): Source =>
  async (_typed, { line, world }) => {
    const { runningList } = await import('../../../commands/local/running-list.ts');
    const org = line.flags.findLast(({ key }) => key === 'org')?.value ?? 'local';
    return runningList(world.env, org, what);
  };

export const localPipelines = ofLocalService('pipelines', 'slug', 'folder');
export const localAgentTokens = ofLocalService('agent-tokens', 'uuid', 'description');
export const localSecrets = ofLocalService('secrets', 'key', 'updated_at');
