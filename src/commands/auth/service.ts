/** The service that `auth login` is for, and the profile that will hold its token. */
import { checkAddress, publicService } from '../../config/addresses.ts';
import { dataDir } from '../../config/folders.ts';
import { isFromFlag } from '../../config/is-from-flag.ts';
import type { Profile } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { readState } from '../../service/state.ts';

interface Addresses {
  readonly baseUrl: string;
  readonly agentUrl: string | null;
  readonly graphqlUrl: string | null;
}

export interface ChosenService {
  /** Name of the profile. */
  readonly profile: string;
  /** What the profile will hold. */
  readonly addresses: Addresses;
  readonly url: string;
  readonly agentUrl: string;
  /** Whether a profile is of this service already: then it keeps its other members. */
  sameService(profile: Profile | undefined): boolean;
}

/** `buildkite`, `local` or a URL; left out, the addresses of flags, environment and profile. */
export async function chooseService(
  text: string | undefined,
  context: Context,
): Promise<ChosenService> {
  const { settings } = context;
  const flag = ['baseUrl', 'agentUrl', 'graphqlUrl'].find((key) => isFromFlag(settings, key));
  if (text !== undefined && flag !== undefined) {
    throw usageError(
      `--service and ${settings.sources[flag]?.slice(5) ?? ''} cannot be used together`,
    );
  }
  const addresses = text === undefined ? presentAddresses(context) : await named(text, context);
  const { baseUrl, agentUrl, graphqlUrl } = addresses;
  return {
    profile: settings.namedProfile ?? profileName(text, baseUrl, context),
    addresses,
    url: baseUrl,
    agentUrl: agentUrl ?? baseUrl,
    sameService: (profile) =>
      profile?.baseUrl === baseUrl &&
      (profile.agentUrl ?? null) === agentUrl &&
      (profile.graphqlUrl ?? null) === graphqlUrl,
  };
}

async function named(text: string, { env }: Context): Promise<Addresses> {
  if (text === 'buildkite') return publicService;
  if (text !== 'local') return alone(checkAddress(text, 'flag --service'));
  const state = await readState(dataDir(env));
  if (state !== undefined) return alone(state.url);
  throw new CictlError('unreachable', 'cannot log in: the built-in service does not run', {
    hint: 'cictl local up',
  });
}

const alone = (baseUrl: string): Addresses => ({ baseUrl, agentUrl: null, graphqlUrl: null });

/** An API at the base URL needs no address of its own. */
function presentAddresses({ settings }: Context): Addresses {
  const { baseUrl, agentUrl, graphqlUrl } = settings;
  return {
    baseUrl,
    agentUrl: agentUrl === baseUrl ? null : agentUrl,
    graphqlUrl: graphqlUrl === baseUrl ? null : graphqlUrl,
  };
}

/** The profile in use when its own token is renewed, else a name after the service. */
function profileName(text: string | undefined, baseUrl: string, { settings }: Context): string {
  const source = settings.sources['baseUrl'] ?? '';
  const renewed = text === undefined && (source === 'default' || source.startsWith('profile'));
  if (renewed && settings.profile !== undefined) return settings.profile;
  if (baseUrl === publicService.baseUrl) return 'buildkite';
  if (text === 'local') return text;
  return new URL(baseUrl).host.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-+|-+$/g, '');
}
