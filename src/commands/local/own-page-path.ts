/** The page that is meant where none is named. */
import { isAbsolute, relative } from 'node:path';
import { checkoutPipelines } from '../../refs/checkout-pipelines.ts';
import { callAdmin } from '../../service/admin.ts';
import type { PageParts } from './page-path.ts';

interface Pipeline {
  readonly slug: string;
  readonly folder: string;
}

/** That of the pipeline whose folder this is, or whose repository; else the first page. */
export async function ownPagePath({ state, context }: PageParts): Promise<string> {
  const { org = 'local' } = context.settings;
  const all = (await callAdmin(state, 'GET', `/organizations/${org}/pipelines`)) as Pipeline[];
  const [own, ...others] = pipelinesAround(context.cwd, all);
  if (own !== undefined) return others.length > 0 ? '/' : `/${org}/${own}`;
  const found = await checkoutPipelines(context, org);
  const [first, ...more] = found?.pipelines ?? [];
  return first === undefined || more.length > 0 ? '/' : `/${org}/${first}`;
}

/** Those of the innermost folder that has any. */
function pipelinesAround(cwd: string, all: readonly Pipeline[]): string[] {
  const around = all.filter(({ folder }) => isWithin(cwd, folder));
  const innermost = Math.max(0, ...around.map(({ folder }) => folder.length));
  return around.filter(({ folder }) => folder.length === innermost).map(({ slug }) => slug);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith('../'));
}
