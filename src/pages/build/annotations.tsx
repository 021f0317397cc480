import { raw } from 'hono/html';
import { Plain } from '../text.tsx';
import type { BuildView } from './build-view.ts';
import { safeHtml } from './safe-html.ts';

/** What jobs have to say, as their service has rendered it, and cleaned once more. */
export const Annotations = ({ view: { annotations, context } }: { readonly view: BuildView }) =>
  annotations.length === 0 ? null : (
    <>
      <h2>Annotations</h2>
      {annotations.map((annotation) => (
        <article
          class={`annotation ${tones.get(annotation.style ?? '') ?? 'quiet'}`}
          id={`annotation-${annotation.id ?? ''}`}
        >
          <p class="quiet">
            <Plain text={annotation.context ?? ''} />
          </p>
          <div>{raw(safeHtml(annotation.body_html ?? '', context.link))}</div>
        </article>
      ))}
    </>
  );

/** The tone of each style; what is none has no more to say than a text. */
const tones = new Map([
  ['success', 'good'],
  ['info', 'active'],
  ['warning', 'busy'],
  ['error', 'bad'],
]);
