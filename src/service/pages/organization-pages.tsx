/** `/` and `/ORG`. */
import type { Organization } from '../../api/resources/organization.ts';
import {
  OrganizationList,
  listId,
  PipelineList,
  PipelineSearch,
  type PipelineListProps,
  PipelineCard,
  cardId,
} from '../../pages/lists/pipelines.tsx';
import { isUnderWay } from '../../pages/lists/build-words.ts';
import { organizationPath, webOrganization } from './addresses.ts';
import { pictureStream } from './event-stream.ts';
import { listPictures, versionNow, type Part, readPipelines, hrefOf, readList } from './lists.ts';
import type { PageCall, PageContent, PageHandler } from './page-call.ts';

/** Lists the organizations, or the pipelines if there is only one organization. */
export const home: PageHandler = async (call) => {
  const { elements } = await readList<Organization>(call.api, '/v2/organizations');
  const [only, ...others] = elements;
  if (only !== undefined && others.length === 0)
    return { ...(await pipelinesOf(call, only)), crumbs: [] };
  return {
    title: 'Organizations',
    crumbs: [],
    body: <OrganizationList organizations={elements} context={call.context} />,
  };
};

export const organizationPage: PageHandler = async (call) => {
  const organization = await findOrganization(call);
  const { slug } = organization;
  return { ...(await pipelinesOf(call, organization)), crumbs: [{ text: slug ?? '' }] };
};

export const organizationEvents: PageHandler = async (call) => {
  const { id, slug } = withoutNull(await findOrganization(call));
  return pictureStream(call, 'organization', (shared) =>
    listPictures(shared, id, (ids) => partsOf(shared, slug, ids)),
  );
};

async function pipelinesOf(
  call: PageCall,
  organization: Organization,
): Promise<Omit<PageContent, 'crumbs'>> {
  const { id, slug, name } = withoutNull(organization);
  const version = versionNow(call, id);
  const list = await readPipelines(call, slug);
  return {
    title: name,
    live: hrefOf(`${webOrganization({ org: slug })}/-/events`, {
      ...Object.fromEntries(call.query),
      'last-event-id': version,
    }),
    body: (
      <>
        <h1>{name}</h1>
        <PipelineSearch action={webOrganization({ org: slug })} text={list.text} />
        <PipelineList {...list} />
      </>
    ),
  };
}

async function partsOf(
  call: PageCall,
  org: string,
  ids: readonly string[] | null,
): Promise<Part[]> {
  const list = await readPipelines(call, org, ids);
  if (ids === null)
    return [
      { id: listId, element: <PipelineList {...list} />, growing: list.cards.flatMap(growingOf) },
    ];
  return list.cards.map((card) => ({
    id: cardId(card.pipeline.id ?? ''),
    element: <PipelineCard {...card} context={list.context} />,
    growing: growingOf(card),
  }));
}

const growingOf = ({ pipeline, builds }: PipelineListProps['cards'][number]): string[] =>
  builds.some(isUnderWay) ? [pipeline.id ?? ''] : [];

const findOrganization = async ({ api, params }: PageCall): Promise<Organization> =>
  (await api.request('GET', organizationPath(params))) as Organization;

const withoutNull = ({ id, slug, name }: Organization) => ({
  id: id ?? '',
  slug: slug ?? '',
  name: name ?? slug ?? '',
});
