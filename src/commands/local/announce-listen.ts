import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';

/** Says what agents of other machines take for `--endpoint`, where the service listens for them. */
export async function announceListen(
  state: Pick<ServiceState, 'url' | 'adminToken'>,
  { messages }: Pick<Context, 'messages'>,
): Promise<void> {
  const status = (await callAdmin(state, 'GET', '/status')) as Partial<ListenStatus>;
  const { listen = null, public_url: publicUrl = null } = status;
  if (listen === null) return;
  const everyInterface = /^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/;
  const reached = publicUrl ?? listen.replace(everyInterface, `$1${hostname()}`);
  messages.note(`agents of other machines start with --endpoint ${reached}/v3`);
}

interface ListenStatus {
  readonly listen: string | null;
  readonly public_url: string | null;
}
