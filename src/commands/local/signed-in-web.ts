/** `--web` of the views, where the built-in service is meant. */
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { findService } from '../../service/admin.ts';
import { aboutService } from './about-service.ts';
import { runningOrStarted } from './running-or-started.ts';
import { signedInAddress, type SignInUrl } from './signed-in-address.ts';

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
