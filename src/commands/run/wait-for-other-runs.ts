import type { Context } from '../../context.ts';
import { callAdmin } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';

/**
 * Waits until the service runs nothing more and nobody looks at it: another `cictl run` may have come to use the one in
 * this process, and would lose its jobs with it.
 */
export async function waitForOthers({ state }: Hosted, context: Context): Promise<void> {
  const { clock, messages, signal, urgent } = context;
  // After a Ctrl-C for our own build the second one is for these.
  const stop = signal.aborted ? urgent : signal;
  for (let told = false; !stop.aborted; told = true) {
    const status = await callAdmin(state, 'GET', '/status').catch(() => idle);
    const { running, scheduled, guests, fault } = status as Status;
    if (running + scheduled + guests === 0 || fault !== null) return;
    if (!told) messages.note('waiting for another build that runs in this service; Ctrl-C ends it');
    await clock.sleep(200, stop).catch(() => undefined);
  }
}

/** A service that does not answer any more runs nothing. */
const idle: Status = { running: 0, scheduled: 0, guests: 0, fault: null };

interface Status {
  readonly running: number;
  readonly scheduled: number;
  /** Processes that still look at a build of theirs. */
  readonly guests: number;
  /** Why it cannot write anything down, and so ends nothing. */
  readonly fault: string | null;
}
