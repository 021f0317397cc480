import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-context.ts';
import { BuildBars } from './build-bars.tsx';

export const lastBuildsId = 'last-builds';

/** How the last builds of a pipeline went. */
export const LastBuilds = (props: {
  readonly builds: readonly Build[];
  readonly context: PageContext;
}) => (
  <section id={lastBuildsId} data-part aria-label="Last builds">
    <BuildBars {...props} />
  </section>
);
