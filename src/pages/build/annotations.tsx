import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Annotation } from '../../api/resources/annotation.ts';
import { Plain } from '../elements.tsx';
import type { BuildView } from './build-view.ts';
import { safeHtml } from './safe-html.ts';

/** What jobs have to say, as their service has rendered it, and cleaned once more. */
export const Annotations = ({ view: { annotations, context } }: { readonly view: BuildView }) =>
  annotations.length === 0 ? null : (
    <>
      <h2>Annotations</h2>
      {annotations.map((annotation) => (
        <AnnotationBox
          annotation={annotation}
          body={safeHtml(annotation.body_html ?? '', context.link)}
        />
      ))}
    </>
  );

/** `body`: as `safeHtml` gives it. */
export const AnnotationBox = ({
  annotation: { id, context, style },
  body,
  children,
}: {
  readonly annotation: Annotation;
  readonly body: string;
  readonly children?: Child;
}) => (
  <article class={`annotation ${tones.get(style ?? '') ?? 'quiet'}`} id={`annotation-${id ?? ''}`}>
    <p class="quiet">
      <Plain text={context ?? ''} />
      {/* For whom a colour says nothing. */}
      {tones.has(style ?? '') && <span class="note">{style}</span>}
    </p>
    <div>{raw(body)}</div>
    {children}
  </article>
);

/** The tone of each style; what is none has no more to say than a text. */
const tones = new Map([
  ['success', 'good'],
  ['info', 'active'],
  ['warning', 'busy'],
  ['error', 'bad'],
]);
