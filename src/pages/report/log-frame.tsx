import { htmlOf, State, Prose } from '../elements.tsx';

/** Whose log it is, and what of it there is. */
export interface LogHead {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly soft_failed: boolean;
  /** What is to be known before one reads it: that it was cut, or why there is none. */
  readonly notes: readonly string[];
  /** A command that prints the whole; left out where nothing was cut. */
  readonly command?: string | undefined;
  readonly isOpen: boolean;
  /** Its lines have times. */
  readonly isTimed: boolean;
}

/** What stands before and behind the lines of a log. */
export function logFrame(head: LogHead): { readonly start: string; readonly end: string } {
  const html = htmlOf(<Frame {...head} />);
  const end = html.lastIndexOf('</div></details>');
  return { start: html.slice(0, end), end: `${html.slice(end)}\n` };
}

const Frame = ({ id, name, notes, command, isOpen, isTimed, ...job }: LogHead) => (
  <details class="report-log" id={logName(id)} open={isOpen}>
    <summary>
      <State state={job.state} marks={job} /> <Prose text={name} />
    </summary>
    {notes.map((note) => (
      <p class="quiet">{note}</p>
    ))}
    {command !== undefined && (
      <p class="quiet">
        All of it: <code>{command}</code>
      </p>
    )}
    <div class={isTimed ? 'log lines timed' : 'log lines'}></div>
  </details>
);

/** The anchor of the log of a job. */
export const logName = (job: string): string => `log-${job.replace(/[^\w-]/g, '_')}`;
