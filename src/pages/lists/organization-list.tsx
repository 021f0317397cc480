import type { Organization } from '../../api/resources/organization.ts';
import type { PageContext } from '../page-context.ts';
import { Plain } from '../text.tsx';

export const OrganizationList = ({
  organizations,
  context,
}: {
  readonly organizations: readonly Organization[];
  readonly context: PageContext;
}) => (
  <>
    <h1>Organizations</h1>
    {organizations.length === 0 && <p class="empty">No organization is open to you.</p>}
    <ul class="rows">
      {organizations.map(({ name, slug, web_url }) => (
        <li data-row>
          <a href={context.link(web_url)}>
            <Plain text={name ?? slug ?? ''} />
          </a>
        </li>
      ))}
    </ul>
  </>
);
