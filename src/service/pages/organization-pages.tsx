/** `/` and `/ORG`: the pipelines. */
import type { Organization } from '../../api/resources/organization.ts';
import type { PageHandler } from './page-call.ts';

export const home: PageHandler = async ({ api, context }) => {
  const organizations = (await api.request('GET', '/v2/organizations')) as Organization[];
  return {
    title: 'Organizations',
    crumbs: [],
    body: (
      <ul>
        {organizations.map(({ name, web_url }) => (
          <li>
            <a href={context.link(web_url)}>{name}</a>
          </li>
        ))}
      </ul>
    ),
  };
};

export const organizationPage: PageHandler = ({ params }) => ({
  title: params['org'] ?? '',
  crumbs: [{ text: params['org'] ?? '' }],
  body: <p>Not yet</p>,
});
