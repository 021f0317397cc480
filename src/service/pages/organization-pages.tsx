/** The pages `/` and `/ORG`. */
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

/** Lists the organizations or, if there is only one, its pipelines. */
export const home: PageHandler = async (call) => {
  const { elements } = await readList<Organization>(call.api, '/v2/organizations');
  const [only] = elements;
  if (only !== undefined && elements.length === 1) return pipelinesOf(call, only, []);
  return {
    title: 'Organizations',
    crumbs: [],
    body: <OrganizationList organizations={elements} context={call.context} />,
  };
};

export const organizationPage: PageHandler = async (call) => {
  const organization = await findOrganization(call);
  return pipelinesOf(call, organization, [{ text: organization.slug ?? '' }]);
};

export const organizationEvents: PageHandler = async (call) => {
  const { id, slug } = await findOrganization(call);
  return pictureStream(call, 'organization', (shared) =>
    listPictures(shared, id ?? '', (ids) => partsOf(shared, slug ?? '', ids)),
  );
};

async function pipelinesOf(
  call: PageCall,
  organization: Organization,
  crumbs: PageContent['crumbs'],
): Promise<PageContent> {
  const slug = organization.slug ?? '';
  const title = organization.name ?? slug;
  const version = versionNow(call, organization.id ?? '');
  const list = await readPipelines(call, slug);
  const path = webOrganization({ org: slug });
  const query = { ...Object.fromEntries(call.query), 'last-event-id': version };
  return {
    ...{ title, crumbs, live: hrefOf(`${path}/-/events`, query) },
    body: (
      <>
        <h1>{title}</h1>
        <PipelineSearch action={path} text={list.text} />
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
