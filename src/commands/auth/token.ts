import type { Handler } from '../../command/command.ts';
import { requireToken } from '../../config/settings.ts';
import type { authToken } from './index.ts';

/** `cictl auth token`. */
export const printToken: Handler<typeof authToken> = async (_input, { settings, out }) =>
  out.line(requireToken(settings));
