import { annotation, type Annotation } from '../../api/resources/annotation.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { filterAsync } from '../async.ts';
import type { annotationsList } from './index.ts';

/** `cictl annotations list [BUILD]`; the API has no filters, so they are applied here. */
export const listAnnotations: Handler<typeof annotationsList> = async (
  { build, style, context: name },
  context,
) => {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { annotations } = await context.client();
  const wanted = (item: Annotation) =>
    (style.length === 0 || style.includes(item.style ?? '')) &&
    (name === undefined || item.context === name);
  await context.out.list(annotation, filterAsync(annotations.list(ref), wanted), {
    empty: 'no annotations found',
  });
};
