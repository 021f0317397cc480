import { buildName, type BuildRef } from '../../api/refs.ts';
import { annotation, type Annotation } from '../../api/resources/annotation.ts';
import { assertResource } from '../../api/resources/check.ts';
import type { Handler } from '../../command/command.ts';
import { cleanMarkup } from '../../common/untrusted-text.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { filterAsync } from '../async.ts';
import { showWeb, wantsWeb, webContext } from '../show-web.ts';
import type { annotationsList, annotationsView } from './index.ts';

/** Filters the list on the client, because the API has no filters for annotations. */
export const listAnnotations: Handler<typeof annotationsList> = async (
  { build, style, context: name },
  context,
) => {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { annotations } = await context.client();
  const matches = (item: Annotation) =>
    (style.length === 0 || style.includes(item.style ?? '')) &&
    (name === undefined || item.context === name);
  await context.out.list(annotation, filterAsync(annotations.list(ref), matches), {
    empty: 'no annotations found',
  });
};

/** Prints the body, or the whole annotation if an output format is given. */
export const viewAnnotation: Handler<typeof annotationsView> = async (
  { context: name, build, format, ...web },
  outer,
) => {
  const context = await webContext(web, outer);
  const { settings, out } = context;
  const { output, fields } = settings;
  const asksForData = isFromFlag(settings, 'output') || fields !== undefined;
  if (asksForData && format !== undefined)
    throw usageError('--format cannot be used with -o, --json, --fields or --jq');
  const ref = await resolveBuild(context, build, { mutates: false });
  const found = await find(name, ref, context);
  if (wantsWeb(web)) {
    const { builds } = await context.client();
    const { web_url: page } = await builds.get(ref);
    const url = page && `${page}#annotation-${encodeURIComponent(found.id ?? '')}`;
    return showWeb(url, `build ${buildName(ref)}`, web, context);
  }
  if (format === undefined && (asksForData || output !== undefined))
    return out.one(annotation, found);
  const html = found.body_html ?? '';
  const body = format === 'html' ? cleanMarkup(html) : await asText(html, context);
  if (body === '') context.messages.note('the annotation is empty');
  else if (out.isTerminal) await out.line(body.replace(/\n$/, ''));
  else await out.write(body);
};

async function find(name: string, ref: BuildRef, context: Context): Promise<Annotation> {
  const { annotations } = await context.client();
  for await (const item of annotations.list(ref)) {
    if (item.context !== name) continue;
    assertResource(annotation, item);
    return item;
  }
  const message = `build ${buildName(ref)} has no annotation with context ${JSON.stringify(name)}`;
  throw new CictlError('not_found', message, { hint: `cictl annotations list ${buildName(ref)}` });
}

/** Wraps lines on a terminal, but not in a pipe. */
async function asText(html: string, { out }: Context): Promise<string> {
  const { htmlToText } = await import('../../render/html-text.ts');
  return htmlToText(html, out.width, out.isTerminal ? await emojisFor([html]) : undefined);
}
