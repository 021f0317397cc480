import { raw } from 'hono/html';
import type { Annotation } from '../../api/resources/annotation.ts';
import { Plain } from '../text.tsx';
import type { BuildView } from './build-view.ts';
import { safeHtml } from './safe-html.ts';

/** What jobs have to say, as their service has rendered it, and cleaned once more. */
export const Annotations = ({ view: { annotations, context } }: { readonly view: BuildView }) =>
  annotations.length === 0 ? null : (
    <>
      <h2>Annotations</h2>
      {annotations.map((annotation) => (
        <article class={`annotation ${styleOf(annotation)}`}>
          <p class="quiet">
            <Plain text={annotation.context ?? ''} />
          </p>
          {raw(safeHtml(annotation.body_html ?? '', context.link))}
        </article>
      ))}
    </>
  );

const styleOf = ({ style }: Annotation): string =>
  ['success', 'info', 'warning', 'error'].includes(style ?? '') ? `style-${style ?? ''}` : '';
