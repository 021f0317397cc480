import { parametersOf, type ValueSchema } from './parameters.ts';
import type { Tool } from './tool.ts';

/** What `tools/list` says of a tool. */
export interface ToolSchema {
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
