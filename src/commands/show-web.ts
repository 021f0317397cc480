import { isBuiltInAddress, isBuiltInProfile } from '../config/built-in.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { openBrowser, webAddress } from '../terminal/browser.ts';

/** What `webFlags` give. */
export interface WebInput {
  readonly web: boolean;
  readonly webAs: string | undefined;
}

export const wantsWeb = ({ web, webAs }: WebInput): boolean => web || webAs !== undefined;

/** The context that the view works in: what `--web` opens may need the built-in service, which is started. */
export async function webContext(input: WebInput, context: Context): Promise<Context> {
  if (!wantsWeb(input) || !isBuiltInProfile(context.settings)) return context;
  const { startedForWeb } = await import('./local/signed-in-web.ts');
  return startedForWeb(context);
}

/**
 * Prints the address of a page and opens it, unless it is only to be printed. It is printed first:
 * who has no browser here takes it elsewhere. At the built-in service it signs in, once. Code 7 where
 * the service gave none.
 */
export async function showWeb(
  address: string | null | undefined,
  name: string,
  { webAs }: WebInput,
  context: Context,
): Promise<void> {
  if (!address) throw new CictlError('not_found', `${name} has no web address`);
  const { out, env } = context;
  const url = await signedIn(webAddress(address), context);
  await out.line(url);
  if (webAs !== 'print') await openBrowser(url, env);
}

async function signedIn(address: string, context: Context): Promise<string> {
  if (!isBuiltInAddress(context.settings, context.env)) return address;
  const { signedInWeb } = await import('./local/signed-in-web.ts');
  return signedInWeb(address, context);
}
