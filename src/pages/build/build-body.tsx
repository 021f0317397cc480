/** The page of a build, of parts that can change: each is an element with the id of that name. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { htmlOf } from '../html-of.ts';
import { Annotations } from './annotations.tsx';
import { BuildHead } from './build-head.tsx';
import type { BuildView } from './build-view.ts';
import { JobList } from './job-list.tsx';
import { Waterfall } from './waterfall.tsx';

export const BuildBody = ({ view }: { readonly view: BuildView }) => (
  <>{Object.values(partsOf(view))}</>
);

/** The same parts as HTML, by their ids: what a page gets that has older ones. */
export const buildParts = (view: BuildView): ReadonlyMap<string, string> =>
  new Map(Object.entries(partsOf(view)).map(([id, element]) => [id, htmlOf(element)]));

const partsOf = (view: BuildView): Readonly<Record<string, JSX.Element>> => ({
  head: (
    <section id="head" data-part>
      <BuildHead view={view} />
    </section>
  ),
  annotations: (
    <section id="annotations" data-part aria-label="Annotations">
      <Annotations view={view} />
    </section>
  ),
  waterfall: (
    <section id="waterfall" data-part aria-label="Waterfall">
      <Waterfall view={view} />
    </section>
  ),
  jobs: (
    <section id="jobs" data-part aria-label="Jobs">
      <JobList view={view} />
    </section>
  ),
});
