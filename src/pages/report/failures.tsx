import { raw } from 'hono/html';
import { State } from '../state.tsx';
import { Prose } from '../text.tsx';
import { logName } from './log-name.ts';

/** What is known of a failure: a part of what `builds failures` says. */
export interface ShownFailure {
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
export const Failures = ({
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
