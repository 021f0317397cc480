/** What changes on the page of a build, as HTML by the ids of its elements. */
import type { JSX } from 'hono/jsx/jsx-runtime';
import { htmlOf } from '../html-of.ts';
import { Annotations } from './annotations.tsx';
import { BuildHead } from './build-head.tsx';
import type { BuildView } from './build-view.ts';
import { JobList } from './job-list.tsx';
import { jobRows } from './job-row.tsx';
import { listedJobs } from './listed-jobs.ts';
import { Waterfall } from './waterfall.tsx';

export interface BuildParts {
  readonly view: BuildView;
  readonly sections: ReadonlyMap<string, string>;
  /** Of the jobs; they stand in their section too. */
  readonly rows: ReadonlyMap<string, string>;
}

/** All parts. What was made `before` of the same annotations is not made again. */
export function buildParts(view: BuildView, before?: BuildParts): BuildParts {
  const listed = listedJobs(view);
  const rows = jobRows(view, listed.list);
  const notes = before?.view.annotations === view.annotations && before.sections.get('annotations');
  const sections = new Map([
    section('head', <BuildHead view={view} />),
    notes ? (['annotations', notes] as const) : section('annotations', <Annotations view={view} />),
    section('waterfall', <Waterfall view={view} />),
    section('jobs', <JobList view={view} listed={listed} rows={rows} />),
  ]);
  return { view, sections, rows };
}

const section = (id: string, content: JSX.Element): readonly [string, string] => [
  id,
  htmlOf(
    <section id={id} data-part>
      {content}
    </section>,
  ),
];

/** What a page with the parts of `before` lacks; rows by themselves where they are the same jobs. */
export function changedParts(
  now: BuildParts,
  before?: BuildParts,
): readonly { readonly id: string; readonly html: string }[] {
  const sameJobs =
    before !== undefined && [...before.rows.keys()].join() === [...now.rows.keys()].join();
  const parts = [...now.sections].filter(([id]) => !sameJobs || id !== 'jobs');
  const rows = sameJobs ? [...now.rows] : [];
  return [...parts, ...rows].flatMap(([id, html]) =>
    before?.sections.get(id) === html || before?.rows.get(id) === html ? [] : [{ id, html }],
  );
}
