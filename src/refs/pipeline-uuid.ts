import { build as resource } from '../api/resources/build.ts';
import { assertResource } from '../api/resources/check.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { isUuid } from './parse-reference.ts';
import { checkSlug } from '../parse/slug.ts';

/**
 * The UUID of a pipeline given as one or as a slug. The API has no pipelines of its own, so a slug
 * is looked up through the pipeline's newest build; code 2 where there is none.
 */
export async function pipelineUuid(org: string, text: string, context: Context): Promise<string> {
  if (isUuid(text)) return text;
  const pipeline = checkSlug('pipeline', text);
  const { builds } = await context.client();
  for await (const build of builds.list({ org, pipeline }, { perPage: 1 })) {
    assertResource(resource, build);
    const id = build.pipeline?.id;
    if (id) return id;
  }
  throw usageError(
    `the UUID of pipeline ${org}/${pipeline} is not known: it has no builds; give its UUID instead of the slug`,
  );
}
