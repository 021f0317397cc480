import { BuildBars, type BuildBarsProps } from './build-bars.tsx';

export const lastBuildsId = 'last-builds';

/** How the last builds of a pipeline went. */
export const LastBuilds = (props: BuildBarsProps) => (
  <section id={lastBuildsId} data-part aria-label="Last builds">
    <BuildBars {...props} />
  </section>
);
