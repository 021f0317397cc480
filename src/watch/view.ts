import type { Output } from '../render/output.ts';
import type { Context } from '../context.ts';
import { eventJson } from './event-json.ts';
import { eventLine } from './event-line.ts';
import type { JobLogs } from './job-logs.ts';
import { createJobNames } from './job-names.ts';
import type { Event } from './changes.ts';
import type { Clock } from '../clock.ts';

export interface View {
  readonly report: (event: Event) => Promise<void>;
  /** Whole lines of a log, ready to be printed; between the events, or above the frame. */
  readonly show: (text: string) => Promise<void>;
  /** A sentence beside the data, put where it does not get in the way. */
  readonly note: (text: string) => Promise<void>;
  /**
   * Leaves the terminal to a question until the function that comes back is called; only where
   * there is a frame.
   */
  readonly pause?: () => Promise<() => void>;
  /** To be called once, however the watch ended. */
  readonly close: () => Promise<void>;
}

export type ViewKind = 'json' | 'lines' | 'live';

/** Events as JSON in that format; a live frame on a screen; else a line for each change. */
export function viewKind({ format, isScreen }: Pick<Output, 'format' | 'isScreen'>): ViewKind {
  if (format === 'json' || format === 'jsonl') return 'json';
  return isScreen && format === 'table' ? 'live' : 'lines';
}

interface ViewContext {
  readonly out: Output;
  readonly clock: Clock;
  readonly messages: Pick<Context['messages'], 'note'>;
}

/** One JSON object a line (interface, "Output"); logs are no events, and go beside them. */
export function jsonView({ out, clock, messages }: ViewContext): View {
  const note = noteOf(messages);
  return {
    report: async (event) => {
      if (event.event === 'wait') await note(event.reason);
      await out.event(eventJson(event, clock.now()));
    },
    show: (text) => note(text.replace(/\n$/, '')),
    note,
    close: () => Promise.resolve(),
  };
}

export interface LineOptions {
  /** The logs of the jobs, where they are wanted. */
  readonly logs?: JobLogs | undefined;
  /** Several builds are watched at once. */
  readonly several?: boolean | undefined;
}

/** One line for each change, for a pipe. */
export function lineView({ out, clock, messages }: ViewContext, options: LineOptions = {}): View {
  const { logs, several } = options;
  const nameOf = createJobNames();
  const note = noteOf(messages);
  return {
    report: async (event) => {
      await logs?.report(event);
      if (event.event === 'wait') await note(event.reason);
      const line = eventLine(event, clock.now(), several, nameOf);
      if (line !== undefined) await out.line(line);
    },
    show: (text) => out.write(text),
    note,
    close: async () => logs?.close(),
  };
}

const noteOf =
  (messages: ViewContext['messages']): View['note'] =>
  (text) => {
    messages.note(text);
    return Promise.resolve();
  };
