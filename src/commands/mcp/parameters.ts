import type { Tool } from './tools.ts';
import { flagName, type Argument, type Option } from '../../command/command.ts';
import { mostBytes, usualBytes } from './fit.ts';

/** What `tools/list` says of a tool. */
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

/** Made from the command's data. */
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

// What a caller may give to a tool: its arguments, its options, and a few that all have.

/** A JSON schema of one value, as far as it is needed here. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: 'string'; readonly enum?: readonly string[] };
}

export interface Parameter {
  /** As the caller writes it: `created_from`. */
  readonly name: string;
  readonly schema: ValueSchema;
  /** Where its value stands on the command line; undefined: the server itself takes it. */
  readonly place: 'word' | { readonly flag: string } | undefined;
}

/** In the order of the help; what the server itself takes at the end. */
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

/** Whether its command has `--fields` and `--jq`. */
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
  text('org', 'organization; default that of the settings'),
  text('pipeline', 'pipeline; default that of the settings'),
];
const forJson = [
  text('fields', 'only these members, with commas; dots reach inside (pipeline.slug)'),
  text('jq', 'a jq program for the JSON of all members; its output is the answer'),
];
const dryRun: Parameter = {
  name: 'dry_run',
  place: { flag: '--dry-run' },
  schema: { type: 'boolean', description: 'give the request, and send nothing' },
};

const maxBytes: Parameter = {
  name: 'max_bytes',
  place: undefined,
  schema: {
    type: 'integer',
    description: `bytes of the whole answer (default ${usualBytes}, at most ${mostBytes}); what is cut is marked`,
  },
};
