import type { Context } from '../context.ts';
import type { CictlError, MissingName } from '../errors.ts';
import { didYouMean } from '../common/suggest.ts';
import { withTimeLimit } from '../common/clock.ts';

const longest = 2000;

/** Adds "did you mean" to the error for an unknown slug. Reads only one page of slugs. */
export async function suggestSlug(
  error: CictlError,
  { kind, slug, org = '' }: MissingName,
  { client, clock }: Pick<Context, 'client' | 'clock'>,
): Promise<void> {
  const { organizations, pipelines } = await client();
  const firstPage = async (signal: AbortSignal): Promise<string[]> => {
    const list = kind === 'pipeline' ? pipelines.list(org, { signal }) : organizations.list(signal);
    for await (const { items } of list.pages()) return items.map((item) => String(item.slug));
    return [];
  };
  const limit = { ms: longest, clock, reason: new Error('timed out waiting for suggestions') };
  error.message += didYouMean(slug, await withTimeLimit(firstPage, limit).catch(() => []));
}
