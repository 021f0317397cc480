import type { Job } from '../../api/resources/job.ts';
import type { PageContext } from '../page-context.ts';

/** The build that a trigger has made. */
export const TriggeredBuild = ({
  job: { triggered_build: build },
  context,
}: {
  readonly job: Job;
  readonly context: PageContext;
}) => {
  if (typeof build !== 'object' || build === null || !('web_url' in build)) return null;
  const { web_url: address } = build;
  const number = 'number' in build ? String(build.number) : '';
  if (typeof address !== 'string') return null;
  return <a href={context.link(address)}>triggered build #{number}</a>;
};
