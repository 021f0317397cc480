import { valueCache } from '../../cache/value-cache.ts';
import type { ValueKind } from '../../command/command.ts';
import { cacheDir } from '../../config/folders.ts';
import { gitLayer } from '../../config/git-settings.ts';
import { type GlobalFlags, resolveSettings, type Settings } from '../../config/settings.ts';
import { readProfiles } from '../../config/profiles.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { prefixed, type Candidate, type LookUp, plain } from './complete.ts';
import type { Line } from './line.ts';
import { askService, type Question, type Parts, type Source, type World } from './ask-service.ts';
import * as values from './service-values.ts';
import { isBuiltInAddress, isFromCurrentProfile } from '../../config/setting-origins.ts';
import { git, gitOutput } from '../../common/git.ts';
import { addedFrom, rememberedBy, withRemote } from '../../refs/checkout-pipelines.ts';
import { openRemembered } from '../remembered.ts';

const profiles: Source = (_typed, { world }) =>
  Promise.resolve(plain([...readProfiles(world.env).profiles.keys()]));

/** Branches of the checkout and its remotes, sorted by their newest commit. */
const branches: Source = async (_typed, { world }) => {
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

const ofLocalService =
  (...what: [kind: string, name: string, summary: string]): Source =>
  async (_typed, { line, world }) => {
    const { runningList } = await import('../../commands/local/running-list.ts');
    const org = line.flags.findLast(({ key }) => key === 'org')?.value ?? 'local';
    return runningList(world.env, org, what);
  };

const sources: Readonly<Record<ValueKind, Source>> = {
  profiles,
  branches,
  targets: values.targets,
  pipelines: values.pipelines,
  organizations: values.organizations,
  builds: values.builds,
  jobs: values.jobs,
  contexts: values.contexts,
  pages: values.pages,
  queues: values.queues,
  rules: values.rules,
  'unfinished builds': values.unfinishedBuilds,
  'retryable jobs': values.retryableJobs,
  'blocked jobs': values.blockedJobs,
  'local agents': values.localAgents,
  'local pipelines': ofLocalService('pipelines', 'slug', 'folder'),
  'local agent tokens': ofLocalService('agent-tokens', 'uuid', 'description'),
  'local secrets': ofLocalService('secrets', 'key', 'updated_at'),
};

/** Kinds of values that need a pipeline. */
const ofPipeline: ReadonlySet<ValueKind> = new Set([
  ...(['builds', 'unfinished builds', 'pages', 'contexts'] as const),
  ...(['jobs', 'retryable jobs', 'blocked jobs'] as const),
]);

const most = 50;

/** Throws if settings, references or profiles are invalid. */
export async function lookUpValues(
  { kind, prefix, current, given: typed, line }: LookUp,
  world: World,
): Promise<Candidate[]> {
  const given = settingsOf(line, world);
  // All requests share one time limit.
  let end: number | undefined;
  const send = async (question: Pick<Question, 'api' | 'path' | 'query'>): Promise<unknown> => {
    const { request, longestRequest } = await import('./request.ts');
    end ??= world.clock.now() + longestRequest;
    return request(question, given, Math.max(0, end - world.clock.now()), world);
  };
  const settings = ofPipeline.has(kind) ? await withCheckoutPipeline(given, world, send) : given;
  const { baseUrl, token, agentToken } = settings;
  const account = { baseUrl, token: token ?? agentToken ?? '' };
  const cache = settings.cache
    ? valueCache({ folder: cacheDir(world.env), ...account, now: () => world.clock.now() })
    : undefined;
  const parts: Parts = {
    ...{ line, settings, world },
    ask: (question, typed) =>
      askService(question, typed, { cache, clock: world.clock, request: send }),
  };
  const found = await sources[kind](current, parts);
  const meant = found.filter(
    ({ text }) => text.startsWith(current) && !['', ...typed].includes(text),
  );
  const shown = meant.slice(0, most).map(({ text, summary }) => ({
    text,
    summary: cleanLine(Array.from(summary.trim()).slice(0, 80).join('')),
  }));
  return prefixed(prefix, shown);
}

/** Flags before the cursor override settings. */
function settingsOf({ flags, command }: Line, { env, cwd }: World): Settings {
  const value = (key: string): string | undefined =>
    flags.findLast((flag) => flag.key === key)?.value;
  const isLocal = command?.name.startsWith('local ') === true;
  const given: GlobalFlags = {
    profile: isLocal ? 'local' : value('profile'),
    org: value('org') ?? (isLocal ? 'local' : undefined),
    pipeline: value('pipeline'),
    baseUrl: value('baseUrl'),
    agentUrl: value('agentUrl'),
    noCache: flags.some(({ key }) => key === 'noCache'),
  };
  return resolveSettings(given, env, () => readProfiles(env), gitLayer(env, cwd));
}

/**
 * Adds the pipeline of the checkout, which is found in the same way as for commands. Sends requests
 * only to the local service; for other services, it only uses a remembered pipeline.
 */
async function withCheckoutPipeline(
  settings: Settings,
  { env, cwd, clock }: World,
  request: (question: Pick<Question, 'api' | 'path' | 'query'>) => Promise<unknown>,
): Promise<Settings> {
  const { org, baseUrl } = settings;
  const isNamed = settings.pipeline !== undefined && !isFromCurrentProfile(settings, 'pipeline');
  if (isNamed || org === undefined) return settings;
  const { all: remotes } = await git.remotes(cwd);
  const known = async (): Promise<readonly string[]> => {
    if (!isBuiltInAddress(settings, env)) {
      const key = rememberedBy(baseUrl, org, remotes);
      return (await openRemembered(settings, env, clock).get(key)) ?? [];
    }
    const path = ['v2', 'organizations', org, 'pipelines'];
    const all = values.objectsOf(await request({ api: 'rest', path, query: { per_page: 100 } }));
    const own = addedFrom(cwd, all);
    return own.length > 0 ? own : withRemote(all, remotes);
  };
  const [pipeline, ...others] = await known().catch(() => []);
  return pipeline === undefined || others.length > 0 ? settings : { ...settings, pipeline };
}
