import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import type { ServiceState } from '../../service/state.ts';
import { openBrowser } from '../../terminal/browser.ts';
import type { localOpen } from './index.ts';
import { pagePathOf } from './page-path.ts';
import { runningOrStarted } from './running-or-started.ts';
import { openedPage } from './service.ts';
import { signedInAddress, speaksOf, tokenInUse } from './signed-in-address.ts';
import { localOrg } from './with-service.ts';

/** `cictl local open`. Prints first: who has no browser here takes the address elsewhere. */
export const openPage: Handler<typeof localOpen> = async ({ page: text }, context) => {
  const { out, env } = context;
  const state = await runningOrStarted(context);
  const path = await pagePathOf(text, { state, context: await aboutService(state, context) });
  const address = await signedInAddress(state, path, context);
  const isText = out.format === 'table' || out.format === 'tsv';
  if (!isText) return out.one(openedPage, { url: address, page: state.url + path });
  await out.line(address);
  if (out.isTerminal) await openBrowser(address, env);
};

/** The context with a client of this service, and with settings that speak of it. */
async function aboutService(state: ServiceState, context: Context): Promise<Context> {
  const { settings, signal } = context;
  const { url: baseUrl } = state;
  const token = tokenInUse(state, context) ?? state.token;
  const client = await context.connect({ url: baseUrl, token, isBuiltIn: true }, signal);
  const own = speaksOf(baseUrl, settings)
    ? { org: settings.org ?? 'local' }
    : { org: localOrg(context) };
  return {
    ...context,
    settings: { ...settings, ...own, baseUrl, token },
    client: () => Promise.resolve(client),
  };
}
