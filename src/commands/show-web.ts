import { homeFolder } from '../config/folders.ts';
import { isBuiltInAddress, isBuiltInProfile } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { openBrowser, openFile, webAddress } from '../terminal/browser.ts';
import type { SignInUrl } from './local/sign-in.ts';

interface WebInput {
  readonly web: boolean;
  readonly webAs: string | undefined;
}

export const wantsWeb = ({ web, webAs }: WebInput): boolean => web || webAs !== undefined;

/** Returns the context for the command. Starts the local service first if `--web` needs it. */
export async function webContext(input: WebInput, context: Context): Promise<Context> {
  if (!wantsWeb(input) || !isBuiltInProfile(context.settings)) return context;
  const { startedForWeb } = await import('./local/sign-in.ts');
  return startedForWeb(context);
}

/**
 * Prints the URL of a page, then opens the page unless `--web=print` is given. Prints first because
 * this machine may have no browser. A URL of the local service also signs in, but only once. Exit
 * code 7 if the service sent no URL.
 */
export async function showWeb(
  address: string | null | undefined,
  name: string,
  { webAs }: WebInput,
  context: Context,
): Promise<void> {
  if (!address) throw new CictlError('not_found', `${name} has no web URL`);
  const { out, env } = context;
  const opens = webAs !== 'print';
  const { url, file } = await signedIn(webAddress(address), opens, context);
  await out.line(url);
  if (file !== undefined) await openFile(file, env);
  else if (opens) await openBrowser(url, env);
}

async function signedIn(address: string, opens: boolean, context: Context): Promise<SignInUrl> {
  if (!isBuiltInAddress(context.settings, context.env)) return { url: address };
  const { signedInWeb } = await import('./local/sign-in.ts');
  return signedInWeb(address, context, opens ? homeFolder(context.env) : undefined);
}
