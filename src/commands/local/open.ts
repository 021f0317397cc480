import type { Handler } from '../../command/command.ts';
import { openBrowser } from '../../terminal/browser.ts';
import { aboutService } from './about-service.ts';
import type { localOpen } from './index.ts';
import { pagePathOf } from './page-path.ts';
import { runningOrStarted } from './running-or-started.ts';
import { openedPage } from './service.ts';
import { signedInAddress } from './signed-in-address.ts';

/** `cictl local open`. Prints first: who has no browser here takes the address elsewhere. */
export const openPage: Handler<typeof localOpen> = async ({ page: text }, context) => {
  const { out, env, settings } = context;
  const state = await runningOrStarted(context);
  const path = await pagePathOf(text, { state, context: await aboutService(state, context) });
  const address = await signedInAddress(state, path, context);
  const isText = (out.format === 'table' || out.format === 'tsv') && settings.fields === undefined;
  if (!isText) return out.one(openedPage, { url: address, page: state.url + path });
  await out.line(address);
  if (out.isTerminal) await openBrowser(address, env);
};
