import type { Child } from 'hono/jsx';
import { raw } from 'hono/html';
import { pageDocument, type Crumb, filePolicy } from '../page-document.tsx';
import { classStyle, themeStyle } from '../../log/html/colours.ts';
import base from '../assets/base.css?raw';
import build from '../assets/build.css?raw';
import { lightStyle } from '../assets/lighten.ts';
import report from './report.css?raw';
import { buildParts, AnnotationBox } from '../build/build-parts.tsx';
import type { BuildView } from '../build/build-view.ts';
import { State, Prose, htmlOf } from '../elements.tsx';
import type { Annotation } from '../../api/resources/annotation.ts';

export interface ReportPage {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** The last line: what created the file, when, and from which service */
  readonly origin: string;
  readonly body: Child;
}

export function reportFrame({ title, crumbs, origin, body }: ReportPage) {
  const html = pageDocument({
    title,
    crumbs,
    assets: { style: reportStyle, policy: filePolicy, generator: 'cictl builds report' },
    body: (
      <>
        {body}
        <footer class="origin">{origin}</footer>
      </>
    ),
  });
  // Text is escaped, so the last occurrence must be the page's own footer.
  const end = html.lastIndexOf('<footer class="origin">');
  return { start: html.slice(0, end), end: html.slice(end) };
}

const reportStyle = [themeStyle, base, build, report, classStyle].map(lightStyle).join('');

interface ReportParts {
  readonly view: BuildView;
  readonly failures: readonly ShownFailure[];
  /** Number of failed jobs that are not in `failures` */
  readonly more: number;
  readonly annotations: {
    readonly markup: string;
    /** A note that annotations are missing from the page, if any are */
    readonly note: string | undefined;
    /** The command that prints all annotations */
    readonly command: string;
  };
  readonly annotationsError: string | undefined;
  /** IDs of the jobs whose logs are on the page */
  readonly withLog: ReadonlySet<string>;
}

export function ReportBody(parts: ReportParts) {
  const { view, annotations, annotationsError, withLog } = parts;
  const { sections } = buildParts(view);
  return (
    <>
      {raw(sections.get('head') ?? '')}
      <Failures {...parts} />
      {annotationsError !== undefined && <p class="bad">{annotationsError}</p>}
      <ReportAnnotations {...annotations} />
      {raw(sections.get('waterfall') ?? '')}
      {raw(sections.get('jobs') ?? '')}
      {withLog.size > 0 && <h2 id="logs">Logs</h2>}
    </>
  );
}

/** The part of the result of `builds failures` that the page shows. */
interface ShownFailure {
  readonly id: string | null;
  readonly name: string;
  readonly state: string;
  readonly soft_failed: boolean;
  readonly exit_status: number | null;
  readonly section: string | null;
  readonly markup: readonly string[];
  /** Indexes of the most relevant lines, the most relevant line first */
  readonly cause: readonly number[];
  readonly fault: string | null;
  /** For example, `exit status 1, signal SIGKILL` */
  readonly ending: string;
}

const Failures = ({ failures, more, withLog }: ReportParts) =>
  failures.length === 0 ? null : (
    <section id="failures" aria-label="Failures" class="failures">
      <h2>Failures</h2>
      {failures.map((failure) => (
        <Failure failure={failure} hasLog={withLog.has(failure.id ?? '')} />
      ))}
      {more > 0 && <p class="quiet">and {more} more failed jobs</p>}
    </section>
  );

const Failure = ({
  failure: { id, name, section, markup, cause, fault, ending, ...job },
  hasLog,
}: {
  readonly failure: ShownFailure;
  readonly hasLog: boolean;
}) => (
  <article class="failure">
    <h3>
      <State state={job.state} marks={job} /> <Prose text={name} />
    </h3>
    <p class="quiet">
      {[ending, section === null ? '' : 'in '].filter(Boolean).join(' ')}
      {section !== null && <Prose text={section} />}
      {hasLog && (
        <>
          {' '}
          <a href={`#${logName(id ?? '')}`}>its log</a>
        </>
      )}
    </p>
    {fault !== null && <p class="bad">{fault}</p>}
    {markup.length > 0 && (
      <pre>
        {markup.map((line, at) => (
          <>
            {at === cause[0] ? (
              <mark>
                <bdi>{raw(line)}</bdi>
              </mark>
            ) : (
              <bdi>{raw(line)}</bdi>
            )}
            {'\n'}
          </>
        ))}
      </pre>
    )}
  </article>
);

interface ShownAnnotation {
  readonly annotation: Annotation;
  /** Must be the result of `safeHtml` */
  readonly body: string;
  readonly note?: string | undefined;
  readonly command?: string | undefined;
}

export const annotationMarkup = ({ annotation, body, note, command }: ShownAnnotation): string =>
  htmlOf(
    <AnnotationBox annotation={annotation} body={body}>
      {note !== undefined && (
        <p class="quiet cut">
          {note}
          {command !== undefined && (
            <>
              {' '}
              Full text: <code>{command}</code>
            </>
          )}
        </p>
      )}
    </AnnotationBox>,
  );

const ReportAnnotations = ({ markup, note, command }: ReportParts['annotations']) =>
  markup === '' && note === undefined ? null : (
    <section id="annotations">
      <h2>Annotations</h2>
      {raw(markup)}
      {note !== undefined && (
        <p class="quiet">
          {note} All annotations: <code>{command}</code>
        </p>
      )}
    </section>
  );

export interface LogHead {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly soft_failed: boolean;
  /** Notes that the log was truncated, or why it is missing */
  readonly notes: readonly string[];
  /** The command that prints the whole log. Omitted if the log was not truncated */
  readonly command?: string | undefined;
  readonly isOpen: boolean;
  readonly isTimed: boolean;
}

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
        Full log: <code>{command}</code>
      </p>
    )}
    <div class={isTimed ? 'log lines timed' : 'log lines'}></div>
  </details>
);

export const logName = (job: string): string => `log-${job.replace(/[^\w-]/g, '_')}`;
