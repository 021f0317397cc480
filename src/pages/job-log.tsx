import { raw } from 'hono/html';
import { Plain } from './elements.tsx';
import { bytesText } from './job-head.tsx';

export interface JobLogView {
  readonly path: string;
  readonly size: number;
  readonly lines: number;
  /** In state `reading`, the log is too long to wait for, so an event sends it later. */
  readonly state: 'there' | 'none' | 'refused' | 'reading';
  readonly isOver: boolean;
  /** The shown lines as HTML. In state `reading`, the last lines without line numbers */
  readonly html: string;
  readonly matches: readonly { readonly line: number; readonly text: string }[];
  readonly events: string;
  /** The initial scroll position: the requested line, or the end. */
  readonly start: 'top' | 'end';
  readonly isTimed: boolean;
  readonly timesHref: string;
  readonly query: string;
}

export const JobLog = ({ view }: { readonly view: JobLogView }) => (
  <section aria-labelledby="log-title">
    <h2 id="log-title" class="unseen">
      Log
    </h2>
    <LogBar view={view} />
    <Matches view={view} />
    <div
      id="log"
      class={`log${view.isTimed ? ' timed' : ''}${view.lines > 99_999 ? ' wide' : ''}`}
      data-own
      data-events={view.events}
      data-start={view.start}
      data-lines={String(view.lines)}
    >
      {/* Replaced by the first `log` event. */}
      {view.state === 'reading' ? <section class="tail">{raw(view.html)}</section> : raw(view.html)}
      <Note view={view} />
    </div>
  </section>
);

const notes = {
  refused: 'You do not have permission to read logs.',
  reading: 'Showing the last lines while the log loads…',
};

const Note = ({ view: { state, lines, isOver } }: { readonly view: JobLogView }) => {
  if (state === 'there' && lines > 0) return null;
  if (state === 'there' || state === 'none') {
    const text = state === 'there' ? 'No output' : 'No log';
    return <p class="note">{isOver ? `${text}.` : `${text} yet.`}</p>;
  }
  return (
    <p class="note">
      {notes[state]}
      {state === 'reading' && <noscript> Reload the page in a few seconds.</noscript>}
    </p>
  );
};

/** Search results for browsers without scripts. Otherwise, a script on the page searches. */
const Matches = ({ view: { query, matches } }: { readonly view: JobLogView }) =>
  query === '' ? null : (
    <noscript>
      <p>{matches.length === 0 ? 'No matching lines.' : 'First matching lines:'}</p>
      <ol class="rows">
        {matches.map(({ line, text }) => (
          <li data-row>
            <a href={`?at=${line}#L${line}`}>{line}</a> <Plain text={text.slice(0, 200)} />
          </li>
        ))}
      </ol>
    </noscript>
  );

const LogBar = ({ view }: { readonly view: JobLogView }) => (
  <div class="log-bar line">
    <form role="search" class="line">
      <input
        type="search"
        name="q"
        value={view.query}
        placeholder="Search (/)"
        aria-label="Search the log"
      />
      {view.isTimed && <input type="hidden" name="times" value="1" />}
      <output for="log" class="quiet" />
      <button class="log-previous" type="button" aria-label="Previous match" hidden>
        ↑
      </button>
      <button class="log-next" type="button" aria-label="Next match" hidden>
        ↓
      </button>
    </form>
    <span class="end line">
      <button class="log-follow" type="button" aria-keyshortcuts="f" aria-pressed="false" hidden>
        Follow
      </button>
      <a class="log-times button" href={view.timesHref} aria-keyshortcuts="t">
        Times
      </a>
      <a class="log-raw" href={`${view.path}/log.txt`}>
        Raw file, {bytesText(view.size)}
      </a>
    </span>
  </div>
);
