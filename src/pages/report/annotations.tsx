import { raw } from 'hono/html';
import type { Annotation } from '../../api/resources/annotation.ts';
import { AnnotationBox } from '../build/annotations.tsx';
import { htmlOf } from '../html-of.ts';

/** An annotation of which there may be a beginning alone. */
export interface ShownAnnotation {
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
export interface AllAnnotations {
  /** Those that are on the page. */
  readonly markup: string;
  /** What is to be known of those that are not. */
  readonly note: string | undefined;
  /** A command that prints all. */
  readonly command: string;
}

/** The part of the page with the annotations; nothing where there are none. */
export const ReportAnnotations = ({ markup, note, command }: AllAnnotations) =>
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
