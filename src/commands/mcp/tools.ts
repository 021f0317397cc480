/** The commands that are tools: an option that is not listed here cannot be given. */
import type { Command } from '../../command/command.ts';
import { annotate, annotationsList, annotationsView } from '../annotations/index.ts';
import {
  buildsCancel,
  buildsCreate,
  buildsFailures,
  buildsList,
  buildsRebuild,
  buildsStats,
  buildsView,
} from '../builds/index.ts';
import { jobEnv, jobList, jobLog, jobRetry, jobUnblock, jobView } from '../job/index.ts';
import { metricsCommand } from '../metrics/index.ts';
import { orgsList, orgsView } from '../orgs/index.ts';
import { rulesList, rulesView } from '../rules/index.ts';

/** The tools in the order of the help; those that change something only where that is allowed. */
export const toolsFor = (allowChanges: boolean): readonly Tool[] =>
  allowChanges ? [...readingTools, ...changingTools] : readingTools;

const tool = (command: Command, parts: Omit<Tool, 'command' | 'name'>): Tool => ({
  ...parts,
  command,
  name: command.name.replaceAll(' ', '_'),
});

const aBuild =
  'number,state,blocked,branch,commit,message,source,creator.name,pipeline.slug,created_at,started_at,finished_at,duration,web_url';
const aJob =
  'id,step_key,name,label,type,state,exit_status,soft_failed,retried,parallel_group_index,parallel_group_total,unblockable,started_at,finished_at,duration';
const jobsOfBuild = aJob
  .split(',')
  .map((name) => `jobs.${name}`)
  .join(',');

/** Without the lines that sparklines are drawn of. */
const numbers = [
  ...['organization', 'pipeline', 'branches', 'builds.runs', 'builds.others', 'builds.pass_rate'],
  ...['builds.duration', 'builds.waited', 'steps.pipeline', 'steps.step_key', 'steps.name'],
  ...['steps.runs', 'steps.pass_rate', 'steps.duration', 'steps.waited', 'steps.critical_share'],
  ...['steps.retried', 'flaky'],
].join(',');

const readingTools = [
  tool(buildsList, {
    kind: 'list',
    fields: aBuild,
    options: [
      ...['state', 'branch', 'commit', 'creator', 'createdFrom', 'createdTo', 'finishedFrom'],
      ...['metaData', 'limit', 'all', 'allPipelines', 'allOrgs'],
    ],
  }),
  tool(buildsView, {
    kind: 'document',
    fields: `${aBuild},pull_request.id,${jobsOfBuild}`,
    hint: 'With summary: counts, and what became of its jobs and annotations, in few bytes.',
    options: ['includeRetriedJobs', 'summary'],
  }),
  tool(buildsFailures, {
    kind: 'document',
    hint: 'Begin here when a build has failed.',
    options: ['commit', 'lines', 'maxJobs', 'maxLineBytes', 'maxJobBytes', 'markdown'],
  }),
  tool(buildsStats, {
    kind: 'document',
    fields: numbers,
    hint: 'Times are seconds, rates and shares lie between 0 and 1.',
    options: [
      ...['state', 'branch', 'commit', 'creator', 'createdFrom', 'createdTo', 'finishedFrom'],
      ...['metaData', 'limit', 'all', 'allPipelines', 'allOrgs'],
    ],
  }),
  tool(jobList, {
    kind: 'list',
    fields: aJob,
    options: ['state', 'failed', 'includeRetriedJobs'],
  }),
  tool(jobView, { kind: 'document', options: ['build', 'includeRetriedJobs'] }),
  tool(jobLog, {
    kind: 'text',
    hint: 'Without head, tail, grep and group: the last 200 lines. groups gives a line a section: name, start and duration, tabs between.',
    flags: ['--format=text'],
    options: [
      ...['build', 'failed', 'grep', 'ignoreCase', 'invert', 'after', 'before', 'context'],
      ...['head', 'tail', 'groups', 'group', 'timestamps'],
    ],
  }),
  tool(jobEnv, {
    kind: 'variables',
    hint: 'Values are masked: it gives the names.',
    flags: ['--format=json'],
    options: ['build'],
  }),
  tool(annotationsList, {
    kind: 'list',
    fields: 'context,style,priority,created_at,updated_at,body_html',
    options: ['style', 'context'],
  }),
  tool(annotationsView, { kind: 'text', options: ['build', 'format'] }),
  tool(rulesList, { kind: 'list', options: [] }),
  tool(rulesView, { kind: 'document', options: [] }),
  tool(orgsList, { kind: 'list', options: [] }),
  tool(orgsView, { kind: 'document', options: [] }),
  tool(metricsCommand, { kind: 'document', flags: ['--format=json'], options: ['queue'] }),
];

const changingTools = [
  tool(buildsCreate, {
    kind: 'document',
    fields: aBuild,
    options: [
      ...['commit', 'branch', 'message', 'author', 'env', 'metaData', 'cleanCheckout'],
      ...['ignoreBranchFilters', 'prId', 'prBaseBranch', 'prRepository', 'body'],
    ],
  }),
  tool(buildsCancel, { kind: 'list', fields: aBuild, required: ['build'], options: [] }),
  tool(buildsRebuild, { kind: 'document', fields: aBuild, required: ['build'], options: [] }),
  tool(jobRetry, { kind: 'list', fields: aJob, options: ['failed', 'build'] }),
  tool(jobUnblock, {
    kind: 'document',
    hint: 'job_view tells which fields it wants.',
    fields: aJob,
    required: ['job'],
    options: ['build', 'field', 'unblocker'],
  }),
  tool(annotate, {
    kind: 'document',
    required: ['body'],
    options: ['style', 'context', 'priority', 'append', 'build'],
  }),
];

/** How the output of a command becomes an answer. */
export type AnswerKind =
  /** One JSON document. */
  | 'document'
  /** JSON elements, which become one array. */
  | 'list'
  /** Lines as they are. */
  | 'text'
  /** The variables of a job, whose values are masked. */
  | 'variables';

/** A command as a tool of the server. */
export interface Tool {
  /** The command's words with `_` between them: `job_log`. */
  readonly name: string;
  readonly command: Command;
  readonly kind: AnswerKind;
  /** More than the command's own summary says, for who knows no help. */
  readonly hint?: string;
  /** Keys of the options that a caller may give. */
  readonly options: readonly string[];
  /** Names of arguments and options that must be given. */
  readonly required?: readonly string[];
  /** The members that come where the caller names none: whole builds take many kilobytes. */
  readonly fields?: string;
  /** Flags that always stand on the command line. */
  readonly flags?: readonly string[];
}
