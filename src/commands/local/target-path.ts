/** Pipelines and organizations of this service, as the paths of their pages. */
import type { Address } from '../../refs/address.ts';
import { parseTarget } from '../../refs/parse-reference.ts';
import { callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';
import type { PageParts } from './page-path.ts';
import { notThere } from './with-service.ts';

/** The page of a TARGET, which may be an organization alone. Code 7 where it is not there. */
export async function targetPath(text: string, { state, context }: PageParts): Promise<string> {
  const { org = context.settings.org ?? 'local', pipeline = '' } = parseTarget(text);
  const path = `/organizations/${org}/pipelines/${pipeline}`;
  const found = callAdmin(state, 'GET', path).catch(notThere('pipeline', text, hint));
  return found.then(
    () => `/${org}/${pipeline}`,
    async (error: unknown) => {
      if (await isOrganization(text, state)) return `/${text}`;
      throw error;
    },
  );
}

async function isOrganization(text: string, state: ServiceState): Promise<boolean> {
  const all = (await callAdmin(state, 'GET', '/organizations')) as { readonly slug: string }[];
  return all.some(({ slug }) => slug === text);
}

/** Code 7 where what an address names, a pipeline or an organization, is not there. */
export async function assertTarget(
  { org, pipeline = '' }: Pick<Address, 'org' | 'pipeline'>,
  { state }: Pick<PageParts, 'state'>,
): Promise<void> {
  const all = `/organizations/${encodeURIComponent(org)}/pipelines`;
  const path = pipeline === '' ? all : `${all}/${encodeURIComponent(pipeline)}`;
  await callAdmin(state, 'GET', path).catch(notThere('pipeline', `${org}/${pipeline}`, hint));
}

const hint = 'cictl local pipeline list';
