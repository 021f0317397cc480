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

/** What stands round the parts of a report. */
export interface ReportPage {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** What made it, when, and of which service: the last line. */
  readonly origin: string;
  readonly body: Child;
}

/** The page but for its logs, which belong between: they are written one at a time. */
interface ReportFrame {
  readonly start: string;
  readonly end: string;
}

/** A page of its own, without a script, that loads nothing. */
export function reportFrame({ title, crumbs, origin, body }: ReportPage): ReportFrame {
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
  // The last of them: no text is markup.
  const end = html.lastIndexOf('<footer class="origin">');
  return { start: html.slice(0, end), end: html.slice(end) };
}

/** All that a report needs of the style of the pages. */
const reportStyle = [themeStyle, base, build, report, classStyle].map(lightStyle).join('');

interface ReportParts {
  readonly view: BuildView;
  readonly failures: readonly ShownFailure[];
  /** Failed jobs beside those. */
  readonly more: number;
  readonly annotations: AllAnnotations;
  /** Why the annotations could not be read. */
  readonly annotationsError: string | undefined;
  /** Ids of the jobs whose logs are on the page. */
  readonly withLog: ReadonlySet<string>;
}

/** The page of the build, with what failed before all else; but for its logs. */
export function ReportBody(parts: ReportParts) {
  const { view, failures, more, annotations, annotationsError, withLog } = parts;
  const { sections } = buildParts(view);
  return (
    <>
      {raw(sections.get('head') ?? '')}
      <Failures failures={failures} more={more} withLog={withLog} />
      {annotationsError !== undefined && <p class="bad">{annotationsError}</p>}
      <ReportAnnotations {...annotations} />
      {raw(sections.get('waterfall') ?? '')}
      {raw(sections.get('jobs') ?? '')}
      {withLog.size > 0 && <h2 id="logs">Logs</h2>}
    </>
  );
}

/** What is known of a failure: a part of what `builds failures` says. */
interface ShownFailure {
  readonly id: string | null;
  readonly name: string;
  readonly state: string;
  readonly soft_failed: boolean;
  readonly exit_status: number | null;
  readonly section: string | null;
  /** Lines of its log, as markup. */
  readonly markup: readonly string[];
  /** Places of the lines that say most, the most telling first. */
  readonly cause: readonly number[];
  readonly fault: string | null;
  /** How it ended beside its state, and how before: `exit status 1, signal SIGKILL`. */
  readonly ending: string;
}

/** What failed, with the lines that say why; nothing where nothing did. */
const Failures = ({
  failures,
  more,
  withLog,
}: {
  readonly failures: readonly ShownFailure[];
  /** How many there are beside those. */
  readonly more: number;
  /** Ids of the jobs whose logs are on the page. */
  readonly withLog: ReadonlySet<string>;
}) =>
  failures.length === 0 ? null : (
    <section id="failures" aria-label="Failures" class="failures">
      <h2>What failed</h2>
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

/** An annotation of which there may be a beginning alone. */
interface ShownAnnotation {
  readonly annotation: Annotation;
  /** As `safeHtml` gives it. */
  readonly body: string;
  /** What is left out; undefined where nothing is. */
  readonly note?: string | undefined;
  /** A command that prints the whole. */
  readonly command?: string | undefined;
}

/** The annotation as markup. */
export const annotationMarkup = ({ annotation, body, note, command }: ShownAnnotation): string =>
  htmlOf(
    <AnnotationBox annotation={annotation} body={body}>
      {note !== undefined && (
        <p class="quiet cut">
          {note}
          {command !== undefined && (
            <>
              {' '}
              All of it: <code>{command}</code>
            </>
          )}
        </p>
      )}
    </AnnotationBox>,
  );

/** What there is of the annotations of a build. */
interface AllAnnotations {
  /** Those that are on the page. */
  readonly markup: string;
  /** What is to be known of those that are not. */
  readonly note: string | undefined;
  /** A command that prints all. */
  readonly command: string;
}

/** The part of the page with the annotations; nothing where there are none. */
const ReportAnnotations = ({ markup, note, command }: AllAnnotations) =>
  markup === '' && note === undefined ? null : (
    <section id="annotations">
      <h2>Annotations</h2>
      {raw(markup)}
      {note !== undefined && (
        <p class="quiet">
          {note} All of them: <code>{command}</code>
        </p>
      )}
    </section>
  );

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
