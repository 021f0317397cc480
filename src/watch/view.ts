/** Where events go: one model, told in three ways. */
import type { Clock } from '../context.ts';
import type { Output } from '../render/output.ts';
import type { Messages } from '../terminal/messages.ts';
import { eventJson } from './event-json.ts';
import { eventLine } from './event-line.ts';
import type { JobLogs } from './job-logs.ts';
import type { Event } from './tracker.ts';

export interface View {
  readonly tell: (event: Event) => Promise<void>;
  /** To be called once, however the watching ended. */
  /** A sentence beside the data, put where it does not get in the way. */
  readonly note: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Where {
  readonly out: Output;
  readonly clock: Clock;
  readonly messages: Pick<Messages, 'note'>;
}

/** One JSON object a line (interface, "Output"). */
export const jsonView = ({ out, clock, messages }: Where): View => ({
  tell: (event) => out.event(eventJson(event, clock.now())),
  note: noteOf(messages),
  close: () => Promise.resolve(),
});

/** One line a change for a pipe, and the logs of the jobs where they are wanted. */
export const lineView = ({ out, clock, messages }: Where, logs?: JobLogs): View => ({
  tell: async (event) => {
    await logs?.tell(event);
    const line = eventLine(event, clock.now());
    if (line !== undefined) await out.line(line);
  },
  note: noteOf(messages),
  close: async () => logs?.close(),
});

const noteOf =
  (messages: Where['messages']): View['note'] =>
  (text) => {
    messages.note(text);
    return Promise.resolve();
  };
