import { raw } from 'hono/html';
import { buildParts } from '../build/build-parts.tsx';
import type { BuildView } from '../build/build-view.ts';
import { State, Prose, htmlOf } from '../elements.tsx';
import { logName } from './log-frame.tsx';
import type { Annotation } from '../../api/resources/annotation.ts';
import { AnnotationBox } from '../build/annotations.tsx';

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
