/** The data of `builds report`; docs/reports.md documents its fields. */
import {
  boolean,
  prose,
  resource,
  state,
  text,
  texts,
  listOf,
  orNull,
  type Complete,
} from '../../../api/resources/resource.ts';
import { reportResource } from '../../../triage/report-resource.ts';

const textOrNull = orNull<string>('text');
const timeOrNull = orNull<string>('time');
const seconds = orNull<number>('json');

const reportJob = resource({
  name: 'job',
  plural: 'jobs',
  members: {
    id: textOrNull(),
    name: prose(),
    step_key: textOrNull(),
    type: text(),
    state: state(),
    soft_failed: boolean(),
    exit_status: orNull<number>('integer')(),
    retried: boolean(),
    waited_from: timeOrNull(),
    started_at: timeOrNull(),
    finished_at: timeOrNull(),
    waited: seconds(),
    ran: seconds(),
    on_critical_path: boolean(),
    after: textOrNull(),
    web_url: orNull<string>('url')(),
  },
  columns: [],
});

/** The columns are for rows that describe one job each. */
export const buildReport = resource({
  name: 'report',
  plural: 'jobs',
  members: {
    ...reportResource.members,
    from: timeOrNull(),
    to: timeOrNull(),
    critical_path: texts(),
    jobs: listOf(reportJob),
  },
  columns: [
    { path: 'jobs.state', heading: 'STATE' },
    { path: 'jobs.name', heading: 'NAME' },
    { path: 'jobs.waited', heading: 'WAITED', show: 'took' },
    { path: 'jobs.ran', heading: 'RAN', show: 'took' },
    { path: 'jobs.on_critical_path', heading: 'CRITICAL' },
    { path: 'jobs.id', heading: 'ID', givesWay: true, isSpare: true },
  ],
  tsv: ['id', 'state', 'name', 'waited', 'ran', 'on_critical_path'].map((name) => ({
    path: `jobs.${name}`,
    heading: name.toUpperCase(),
  })),
});

export type BuildReport = Complete<typeof buildReport>;
export type ReportJob = Complete<typeof reportJob>;
