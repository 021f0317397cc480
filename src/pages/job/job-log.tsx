import { raw } from 'hono/html';
import { bytesText } from './job-artifacts.tsx';

export interface JobLogView {
  /** The job's own address. */
  readonly path: string;
  /** Bytes, and lines. */
  readonly size: number;
  readonly lines: number;
  /** What is shown of it, as markup. */
  readonly html: string;
  /** Where the script hears what is new. */
  readonly events: string;
  /** Where the page begins: at the line that was asked for, else at the end. */
  readonly start: 'top' | 'end';
  readonly isTimed: boolean;
  readonly query: string;
  readonly isRunning: boolean;
}

/** The log with what searches it and leads to its file. */
export const JobLog = ({ view }: { readonly view: JobLogView }) => (
  <section aria-labelledby="log-title">
    <h2 id="log-title" class="unseen">
      Log
    </h2>
    <LogBar view={view} />
    <div
      id="log"
      class={view.isTimed ? 'log timed' : 'log'}
      data-own
      data-events={view.events}
      data-start={view.start}
      data-lines={String(view.lines)}
    >
      {raw(view.html)}
    </div>
  </section>
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
      <output for="log" class="quiet" />
      <button class="log-previous" type="button" aria-label="Match before" hidden>
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
      <a class="log-times button" href={view.isTimed ? '?' : '?times=1'} aria-keyshortcuts="t">
        Times
      </a>
      <a href={`${view.path}/log.txt`}>Raw file, {bytesText(view.size)}</a>
    </span>
  </div>
);
