import type { Input } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { agentAddress } from './agent-address.ts';
import { sizeOf } from '../../parse/size.ts';
import { keepOf } from './keep.ts';
import { slotTags } from './slot-tags.ts';
import type { localUp } from './index.ts';

/** What the flags of `local up` ask of the service. Reads certificate and key. */
export async function serviceOptions(
  input: Input<typeof localUp>,
  context: Pick<Context, 'cwd' | 'env'>,
): Promise<ServiceOptions> {
  const { port, rateLimit, keep, slots, heartbeat, expireAfter, maxLog } = input;
  const tags = slotTags(input.tags);
  const listen = await agentAddress(input, context);
  return {
    ...{ dataDir: dataDir(context.env), ownsProcess: true, isConfined: true },
    ...(port !== undefined && { port }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(keep !== undefined && { keep: keepOf(keep) }),
    ...(slots !== undefined && { slots }),
    ...(heartbeat !== undefined && { heartbeat }),
    ...(expireAfter !== undefined && { expireAfter }),
    ...(tags && { tags }),
    maxLog: maxLog === undefined ? undefined : sizeOf(maxLog),
    ...(listen && { listen }),
  };
}
