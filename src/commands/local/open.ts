import { homeFolder } from '../../config/folders.ts';
import type { Handler } from '../../command/command.ts';
import { openFile } from '../../terminal/browser.ts';
import { aboutService } from './about-service.ts';
import type { localOpen } from './index.ts';
import { pagePathOf } from './page-path.ts';
import { runningOrStarted } from './running-or-started.ts';
import { openedPage } from './service.ts';
import { signedInAddress } from './signed-in-address.ts';

/** `cictl local open`. Prints the URL first, for users without a browser on this machine. */
export const openPage: Handler<typeof localOpen> = async ({ page: text }, context) => {
  const { out, env, settings } = context;
  const state = await runningOrStarted(context);
  const path = await pagePathOf(text, { state, context: await aboutService(state, context) });
  const isText = (out.format === 'table' || out.format === 'tsv') && settings.fields === undefined;
  const directory = isText && out.isTerminal ? homeFolder(env) : undefined;
  const { url, file } = await signedInAddress(state, path, context, directory);
  if (!isText) return out.one(openedPage, { url, page: state.url + path });
  await out.line(url);
  if (file !== undefined) await openFile(file, env);
};
