import { Problems } from '../../pages/lists/new-build-form.tsx';
import { webBuild } from './api-paths.ts';
import { pipelineCrumbs } from './crumbs.ts';
import type { PageCall, PageContent } from './page-call.ts';
import type { Problems as Refused } from './problems.ts';

/** Why a build or a job was not changed, with the way back to the build. */
export const refusedPage = (
  { params }: Pick<PageCall, 'params'>,
  { status, problems }: Refused,
): PageContent => ({
  status,
  title: 'Refused',
  crumbs: pipelineCrumbs(params, { text: `#${params['number'] ?? ''}`, href: webBuild(params) }),
  body: (
    <>
      <h1>Refused</h1>
      <Problems problems={problems} />
      <p>
        <a href={webBuild(params)}>Back to the build</a>
      </p>
    </>
  ),
});
