import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { openBrowser, webAddress } from '../terminal/browser.ts';

/** What `webFlags` give. */
export interface WebInput {
  readonly web: boolean;
  readonly webAs: string | undefined;
}

export const wantsWeb = ({ web, webAs }: WebInput): boolean => web || webAs !== undefined;

/**
 * Prints the address of a page and opens it, unless it is only to be printed. It is printed first:
 * who has no browser here takes it elsewhere. Code 7 where the service gave none.
 */
export async function showWeb(
  address: string | null | undefined,
  name: string,
  { webAs }: WebInput,
  { out, env }: Context,
): Promise<void> {
  if (!address) throw new CictlError('not_found', `${name} has no web address`);
  const url = webAddress(address);
  await out.line(url);
  if (webAs !== 'print') await openBrowser(url, env);
}
