/** How a job has ended, as its agent says it. */
import { signalReasons } from '../../pipeline/signal-reasons.ts';
import type { Outcome } from '../../runner-port.ts';
import { bodyReader, objectOf } from '../body-reader.ts';

/** `isLast`: the agent takes no other job. Throws `ApiError` 400 and 422. */
export function readOutcome(body: unknown): {
  readonly outcome: Outcome;
  readonly isLast: boolean;
} {
  const members = bodyReader(objectOf(body));
  const status = members.required('exit_status');
  const signal = members.text('signal') ?? '';
  const reason = members.text('signal_reason') ?? '';
  const isLast = members.flag('ignore_agent_in_dispatches');
  if (!/^-?\d{1,10}$/.test(status))
    members.addError({
      field: 'exit_status',
      code: 'invalid',
      message: 'exit_status is no number',
    });
  if (signal.length > 20)
    members.addError({
      field: 'signal',
      code: 'too_long',
      message: 'signal is no name of a signal',
    });
  members.done();
  const signalReason = signalReasons.find((one) => one === reason) ?? null;
  return {
    outcome: { exitStatus: Number(status), signal: signal || null, signalReason, timedOut: false },
    isLast,
  };
}
