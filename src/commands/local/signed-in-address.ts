import { isBuiltInProfile } from '../../config/built-in.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';

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
export function tokenInUse(
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
export const speaksOf = (url: string, settings: Context['settings']): boolean =>
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
