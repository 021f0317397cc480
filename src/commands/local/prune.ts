import type { Handler } from '../../command/command.ts';
import { CictlError } from '../../errors.ts';
import { checkKeep } from './keep.ts';
import { withService } from './with-service.ts';
import type { localPrune } from './index.ts';

/** `cictl local prune`. */
export const pruneBuilds: Handler<typeof localPrune> = async ({ keep }, context) => {
  if (keep !== undefined) checkKeep(keep);
  let removed = 0;
  await withService(context, async (call) => {
    const body = keep === undefined ? {} : { keep };
    for (let more = true; more;) {
      const part = (await call('POST', '/prune', body).catch(explain)) as Part;
      removed += part.removed;
      more = part.more && !context.signal.aborted;
    }
  });
  const builds = removed === 1 ? 'build' : 'builds';
  context.messages.note(`removed ${removed} old ${builds} with logs and artifacts`);
};

interface Part {
  readonly removed: number;
  readonly more: boolean;
}

/** Without the flag the service knows how much is kept, or nobody has said it. */
function explain(error: unknown): never {
  if (error instanceof CictlError && error.kind === 'refused')
    throw new CictlError('usage', `cannot remove builds: ${error.message}`, {
      hint: 'cictl local prune --keep 90d',
    });
  throw error;
}
