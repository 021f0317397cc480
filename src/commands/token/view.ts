import { accessToken as resource } from '../../api/resources/access_token.ts';
import type { Handler } from '../../command/command.ts';
import type { tokenView } from './index.ts';

/** `cictl token view`. */
export const viewToken: Handler<typeof tokenView> = async (_input, context) => {
  const { accessToken } = await context.client();
  await context.out.one(resource, await accessToken.get({ asSent: true }));
};
