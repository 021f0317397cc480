/** Values for the word at the cursor, from this machine, the cache or the service. */
import { valueCache, type ValueCache } from '../../../cache/value-cache.ts';
import type { ValueKind } from '../../../command/command.ts';
import { cacheDir } from '../../../config/folders.ts';
import { gitLayer } from '../../../config/git-settings.ts';
import { type GlobalFlags, resolveSettings, type Settings } from '../../../config/settings.ts';
import { readProfiles } from '../../../config/profiles.ts';
import { cleanLine } from '../../../common/untrusted-text.ts';
import { prefixed, type Candidate } from '../candidate.ts';
import type { LookUp } from '../complete.ts';
import type { Line } from '../line.ts';
import { askService, type Question } from './ask-service.ts';
import { builds, unfinishedBuilds } from './builds.ts';
import { contexts } from './contexts.ts';
import { blockedJobs, jobs, retryableJobs } from './jobs.ts';
import { withCheckoutPipeline } from './of-checkout.ts';
import {
  branches,
  localAgentTokens,
  localPipelines,
  localSecrets,
  profiles,
} from './of-machine.ts';
import { localAgents, organizations, queues, rules } from './of-service.ts';
import { pages } from './pages.ts';
import { pipelines, targets } from './pipelines.ts';
import type { Parts, Source, World } from './world.ts';

const sources: Readonly<Record<ValueKind, Source>> = {
  ...{ profiles, targets, pipelines, organizations, branches, builds, jobs, contexts },
  ...{ pages, queues, rules },
  'unfinished builds': unfinishedBuilds,
  'retryable jobs': retryableJobs,
  'blocked jobs': blockedJobs,
  'local pipelines': localPipelines,
  'local agents': localAgents,
  'local agent tokens': localAgentTokens,
  'local secrets': localSecrets,
};

/** Those that a pipeline has. */
const ofPipeline: ReadonlySet<ValueKind> = new Set([
  ...(['builds', 'unfinished builds', 'pages', 'contexts'] as const),
  ...(['jobs', 'retryable jobs', 'blocked jobs'] as const),
]);

/** At most so many: more than that nobody reads. */
const most = 50;

/** What may be meant. Throws where settings, references or profiles make no sense. */
export async function lookUpValues(
  { kind, prefix, current, given: typed, line }: LookUp,
  world: World,
): Promise<Candidate[]> {
  const given = settingsOf(line, world);
  // Of two requests the second has what the first has left.
  let end: number | undefined;
  const send = async (question: Pick<Question, 'api' | 'path' | 'query'>): Promise<unknown> => {
    const { request, longestRequest } = await import('./request.ts');
    end ??= world.clock.now() + longestRequest;
    return request(question, given, Math.max(0, end - world.clock.now()), world);
  };
  const settings = ofPipeline.has(kind) ? await withCheckoutPipeline(given, world, send) : given;
  const cache = settings.cache ? cacheOf(settings, world) : undefined;
  const parts: Parts = {
    ...{ line, settings, world },
    ask: (question, typed) =>
      askService(question, typed, { cache, clock: world.clock, request: send }),
  };
  const found = await sources[kind](current, parts);
  const meant = found.filter(
    ({ text }) => text.startsWith(current) && !['', ...typed].includes(text),
  );
  return prefixed(prefix, meant.slice(0, most).map(candidate));
}

const candidate = ({ text, summary }: Candidate): Candidate => ({
  text,
  summary: cleanLine(summary.trim().slice(0, 80)),
});

/** The flags before the cursor count as they will when the line is complete. */
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

function cacheOf({ baseUrl, token, agentToken }: Settings, { env, clock }: World): ValueCache {
  const account = { baseUrl, token: token ?? agentToken ?? '' };
  return valueCache({ folder: cacheDir(env), ...account, now: () => clock.now() });
}
