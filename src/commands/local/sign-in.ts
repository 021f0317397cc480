/** `--web` of the views, where the built-in service is meant. */
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { findService, callAdmin } from '../../service/admin.ts';
import { runningOrStarted } from './start.ts';
import { isBuiltInProfile } from '../../config/setting-origins.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { ServiceState } from '../../service/state.ts';
import { localOrg } from './with-service.ts';

/** The context for looking up what is to be opened: the service is started where it is down. */
export const startedForWeb = async (context: Context): Promise<Context> =>
  aboutService(await runningOrStarted(context), context);

/** The URL that signs in and leads to a page; the page's own URL if the user cannot be signed in. */
export async function signedInWeb(
  address: string,
  context: Context,
  directory?: string,
): Promise<SignInUrl> {
  const state = await findService(dataDir(context.env));
  const { origin, pathname, search, hash } = new URL(address);
  const page = { url: address };
  if (state?.url !== origin) return page;
  const path = pathname + search + hash;
  return signedInAddress(state, path, context, directory).catch((error: unknown) => {
    // The token of a job, for one: the page asks to sign in.
    if (error instanceof CictlError && unsigned.has(error.kind)) return page;
    throw error;
  });
}

const unsigned: ReadonlySet<CictlError['kind']> = new Set(['auth', 'refused']);

type Asking = Pick<Context, 'settings' | 'env'>;

/** A URL that signs a browser in, once and within a minute, and leads to a page. */
export interface SignInUrl {
  readonly url: string;
  /** A file that only its user can read and that leads there: a URL on a command line is visible to every user. */
  readonly file?: string;
}

/**
 * Has the permissions of the token in use, if it belongs to this service, otherwise those of the owner. `directory`
 * is where a browser can read a file; without it there is none. Code 6 for a token that cannot sign in.
 */
export async function signedInAddress(
  state: ServiceState,
  path: string,
  context: Asking,
  directory?: string,
): Promise<SignInUrl> {
  const token = tokenInUse(state, context);
  // Organizations that were added since are no reason to be shown less than `local up` gave.
  const isOwn = context.settings.sources['token'] === 'profile local';
  const body = {
    ...(token !== undefined && token !== state.token && { token, reaches_newer: isOwn }),
    ...(directory !== undefined && { directory, to: path }),
  };
  const code = await callAdmin(state, 'POST', '/sign-in-codes', body).catch((error: unknown) => {
    throw explained(error, context);
  });
  const { code: secret, file } = code as { readonly code: string; readonly file?: string };
  const url = `${state.url}/-/sign-in?code=${secret}&to=${encodeURIComponent(path)}`;
  return { url, ...(file !== undefined && { file }) };
}

/** The access token that the settings have for this service; undefined where they speak of another. */
function tokenInUse(
  { url }: Pick<ServiceState, 'url'>,
  { settings, env }: Asking,
): string | undefined {
  if (!speaksOf(url, settings)) return undefined;
  // A start may have given the profile another one.
  return settings.sources['token'] === 'profile local'
    ? readProfiles(env).profiles.get('local')?.token
    : settings.token;
}

/** Whether requests of the settings go to the built-in service, which is at `url`. */
const speaksOf = (url: string, settings: Context['settings']): boolean =>
  isBuiltInProfile(settings) || new URL(settings.baseUrl).origin === url;

function explained(error: unknown, { settings }: Asking): unknown {
  if (!(error instanceof CictlError)) return error;
  if (error.kind === 'not_found')
    return new CictlError('refused', 'the local service is of an earlier version, without pages', {
      hint: 'cictl local down && cictl local up',
    });
  if (error.status !== 422) return error;
  const source = settings.sources['token'] ?? 'the settings';
  return new CictlError('auth', `nobody signs in with the token of ${source}: ${error.message}`, {
    hint: source === 'profile local' ? 'cictl local up' : 'cictl local open --profile local',
  });
}

/** The context with a client of the built-in service, and with settings that speak of it. */
export async function aboutService(state: ServiceState, context: Context): Promise<Context> {
  const { settings, signal } = context;
  const { url: baseUrl } = state;
  const token = tokenInUse(state, context) ?? state.token;
  const client = await context.connect({ url: baseUrl, token, isBuiltIn: true }, signal);
  const org = speaksOf(baseUrl, settings) ? (settings.org ?? 'local') : localOrg(context);
  return {
    ...context,
    settings: { ...settings, org, baseUrl, token },
    client: () => Promise.resolve(client),
  };
}
