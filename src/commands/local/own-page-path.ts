/** The page that is meant where none is named. */
import { git } from '../../git.ts';
import { addedFrom, withRemote } from '../../refs/checkout-pipelines.ts';
import { callAdmin } from '../../service/admin.ts';
import type { PageParts } from './page-path.ts';

interface Pipeline {
  readonly slug: string;
  readonly folder: string;
  readonly repository: string;
}

/** That of the pipeline of this directory or checkout, if there is exactly one; otherwise the first page. */
export async function ownPagePath({ state, context }: PageParts): Promise<string> {
  const { org = 'local' } = context.settings;
  const all = (await callAdmin(state, 'GET', `/organizations/${org}/pipelines`)) as Pipeline[];
  const added = addedFrom(
    context.cwd,
    all.map(({ slug, folder }) => ({ slug, directory: folder })),
  );
  const own = added.length > 0 ? added : withRemote(all, (await git.remotes(context.cwd)).all);
  const [first, ...others] = own;
  return first === undefined || others.length > 0 ? '/' : `/${org}/${first}`;
}
