/** The commands that are available as tools, with the options that clients may use. */
import { type Command, flagName, type Argument, type Option } from '../../command/command.ts';
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
import { mostBytes, usualBytes } from './answer.ts';

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

/** Excludes the long series of numbers that only sparklines need. */
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
    hint: 'summary returns a short overview: the outcome, the most relevant jobs, and counts of jobs and annotations.',
    options: ['includeRetriedJobs', 'summary'],
  }),
  tool(buildsFailures, {
    kind: 'document',
    hint: 'Start here if a build failed.',
    options: ['commit', 'lines', 'maxCauses', 'maxLineBytes', 'maxJobBytes', 'markdown'],
  }),
  tool(buildsStats, {
    kind: 'document',
    fields: numbers,
    hint: 'Times are in seconds; rates and shares are between 0 and 1.',
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
    hint: 'Without head, tail, grep or group, returns the last 200 lines. With groups, returns one line per section: name, start and duration, separated by tabs.',
    flags: ['--format=text'],
    options: [
      ...['build', 'failed', 'grep', 'ignoreCase', 'invert', 'after', 'before', 'context'],
      ...['head', 'tail', 'groups', 'group', 'timestamps'],
    ],
  }),
  tool(jobEnv, {
    kind: 'variables',
    hint: 'Values are masked.',
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
    hint: 'Use job_view to see the fields.',
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

export type AnswerKind =
  /** A JSON document */
  | 'document'
  /** JSON elements, which are combined into an array */
  | 'list'
  /** Lines that are not changed */
  | 'text'
  /** JSON values or strings, one per line */
  | 'values'
  /** The variables of a job, with masked values */
  | 'variables';

export interface Tool {
  /** The words of the command, joined by `_`, such as `job_log`. */
  readonly name: string;
  readonly command: Command;
  readonly kind: AnswerKind;
  /** Details in addition to the command's own summary. */
  readonly hint?: string;
  /** Keys of the options that clients may use. */
  readonly options: readonly string[];
  /** Names of required arguments and options. */
  readonly required?: readonly string[];
  /** Fields to return by default, because complete builds take many kilobytes. */
  readonly fields?: string;
  /** Flags that are always added to the command line. */
  readonly flags?: readonly string[];
}

interface ToolSchema {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Record<string, ValueSchema>;
    readonly required?: string[];
    readonly additionalProperties: false;
  };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly openWorldHint: true;
  };
}

/** Derived from the definition of the command. */
export function toolSchema(tool: Tool): ToolSchema {
  const { name, command, hint } = tool;
  const required = [...requiredWords(tool), ...(tool.required ?? [])];
  const changes = command.mutates === true;
  return {
    name,
    title: command.summary,
    description: [`${command.summary}.`, ...(hint === undefined ? [] : [hint])].join(' '),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parametersOf(tool).map((one) => [one.name, one.schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: !changes,
      ...(changes && { destructiveHint: name === 'builds_cancel' }),
      openWorldHint: true,
    },
  };
}

const requiredWords = ({ command }: Tool): string[] =>
  Object.entries(command.arguments).flatMap(([key, { required }]) => (required ? [key] : []));

// The parameters of a tool: arguments, options, and a few that all tools have.

/** The subset of JSON Schema that the parameters need. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: 'string'; readonly enum?: readonly string[] };
}

export interface Parameter {
  /** In snake case, such as `created_from`. */
  readonly name: string;
  readonly schema: ValueSchema;
  /** The position on the command line. Undefined for a parameter of the server itself. */
  readonly place: 'word' | { readonly flag: string } | undefined;
}

/** In the order of the help. Parameters of the server itself are last. */
export function parametersOf(tool: Tool): readonly Parameter[] {
  const { command, options } = tool;
  const words = Object.entries(command.arguments).map(([key, argument]) => word(key, argument));
  const own = options.flatMap((key) => {
    const option = command.options[key];
    return option === undefined ? [] : [flag(key, option)];
  });
  const all = [...words, ...own];
  const more = [...common, ...(isJson(tool) ? forJson : []), ...(command.mutates ? [dryRun] : [])];
  return [
    ...all,
    ...[...more, maxBytes].filter(({ name }) => !all.some((one) => one.name === name)),
  ];
}

/** Whether the command supports `--fields` and `--jq`. */
export const isJson = ({ kind }: Tool): boolean => kind === 'list' || kind === 'document';

const snakeCase = (key: string): string => flagName(key).replaceAll('-', '_');

const word = (key: string, { summary, variadic, choices }: Argument): Parameter => ({
  name: snakeCase(key),
  place: 'word',
  schema: variadic
    ? { type: 'array', description: summary, items: { type: 'string' } }
    : { type: 'string', description: summary, ...(choices && { enum: choices }) },
});

const flag = (key: string, option: Option): Parameter => ({
  name: snakeCase(key),
  place: { flag: `--${flagName(key)}` },
  schema: schemaOf(option),
});

function schemaOf(option: Option): ValueSchema {
  if (option.value === undefined) return { type: 'boolean', description: option.summary };
  const { summary, fallback, type, repeat, choices } = option;
  const description = `${summary}${fallback === undefined ? '' : ` (default ${fallback})`}`;
  const one = {
    type: type === 'integer' ? ('integer' as const) : ('string' as const),
    ...(choices && { enum: choices }),
  };
  if (!repeat) return { ...one, description };
  return { type: 'array', description, items: { ...one, type: 'string' } };
}

const text = (name: string, description: string): Parameter => ({
  name,
  place: { flag: `--${name}` },
  schema: { type: 'string', description },
});

const common = [
  text('org', 'organization (default: from the settings)'),
  text('pipeline', 'pipeline (default: from the settings)'),
];
const forJson = [
  text('fields', 'comma-separated fields to return; use dots for nested fields (pipeline.slug)'),
  text('jq', 'jq program that filters the JSON; its output is the response'),
];
const dryRun: Parameter = {
  name: 'dry_run',
  place: { flag: '--dry-run' },
  schema: { type: 'boolean', description: 'return the request without sending it' },
};

const maxBytes: Parameter = {
  name: 'max_bytes',
  place: undefined,
  schema: {
    type: 'integer',
    description: `maximum response size in bytes (default ${usualBytes}, at most ${mostBytes}); truncated responses are marked`,
  },
};
