/** URLs of the local service that also sign in the browser, for `local open` and `--web`. */
import { isBuiltInProfile } from '../../config/setting-origins.ts';
import { dataDir } from '../../config/folders.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { findService, callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';
import { runningOrStarted } from './start.ts';
import { localOrg } from './with-service.ts';

export const startedForWeb = async (context: Context): Promise<Context> =>
  aboutService(await runningOrStarted(context), context);

/** A URL that also signs in, or the page's own URL if signing in is not possible. */
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
    // For example, the token of a job cannot sign in. The page then shows the sign-in form.
    if (error instanceof CictlError && ['auth', 'refused'].includes(error.kind)) return page;
    throw error;
  });
}

/** A URL that signs in a browser and leads to a page. Works once and expires after a minute. */
export interface SignInUrl {
  readonly url: string;
  /** A file with the URL, readable only by the user: command lines are visible to all users. */
  readonly file?: string;
}

/**
 * The session has the permissions of the token in use, or the owner's permissions if that token is
 * for another service. `directory` must be readable by a browser; without it, no file is written.
 * Exit code 6 if the token cannot sign in.
 */
export async function signedInAddress(
  state: ServiceState,
  path: string,
  context: Context,
  directory?: string,
): Promise<SignInUrl> {
  const token = tokenInUse(state, context);
  // A token from `local up` also has access to organizations that were added later.
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

function tokenInUse({ url }: ServiceState, { settings, env }: Context): string | undefined {
  if (!isFor(url, settings)) return undefined;
  // The token in the profile may be new, because starting the service can replace it.
  return settings.sources['token'] === 'profile local'
    ? readProfiles(env).profiles.get('local')?.token
    : settings.token;
}

/** Whether the settings are for the local service at `url`. */
const isFor = (url: string, settings: Context['settings']): boolean =>
  isBuiltInProfile(settings) || new URL(settings.baseUrl).origin === url;

function explained(error: unknown, { settings }: Context): unknown {
  if (!(error instanceof CictlError)) return error;
  if (error.kind === 'not_found')
    return new CictlError('refused', 'the local service is an older version without web pages', {
      hint: 'cictl local down && cictl local up',
    });
  if (error.status !== 422) return error;
  const source = settings.sources['token'] ?? 'the settings';
  return new CictlError('auth', `cannot sign in with the token from ${source}: ${error.message}`, {
    hint: source === 'profile local' ? 'cictl local up' : 'cictl local open --profile local',
  });
}

export async function aboutService(state: ServiceState, context: Context): Promise<Context> {
  const { settings, signal } = context;
  const { url: baseUrl } = state;
  const token = tokenInUse(state, context) ?? state.token;
  const client = await context.connect({ url: baseUrl, token, isBuiltIn: true }, signal);
  const org = isFor(baseUrl, settings) ? (settings.org ?? 'local') : localOrg(context);
  return {
    ...context,
    settings: { ...settings, org, baseUrl, token },
    client: () => Promise.resolve(client),
  };
}
