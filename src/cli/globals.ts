import type { Options } from '../command/command.ts';
import { outputFormats } from '../parse/output-format.ts';

export const globalOptions = {
  profile: { value: 'NAME', suggests: 'profiles', summary: 'use this profile' },
  output: {
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    summary: 'output format (default: table on a terminal, tsv in a pipe)',
  },
  json: {
    inline: 'fields',
    summary: 'same as -o json; --json=A,B is short for --json --fields A,B',
  },
  fields: {
    value: 'A,B,C',
    summary: 'fields to print; use dots for nested fields (pipeline.slug)',
  },
  jq: { value: 'EXPR', summary: 'filter the JSON with jq' },
  org: { value: 'SLUG', suggests: 'organizations', summary: 'organization slug' },
  pipeline: { short: 'p', value: 'SLUG', suggests: 'pipelines', summary: 'pipeline slug' },
  baseUrl: {
    value: 'URL',
    summary: 'URL of the REST API, and of the other APIs unless their URLs are set',
  },
  agentUrl: { value: 'URL', summary: 'URL of the agent metrics API' },
  graphqlUrl: { value: 'URL', summary: 'URL of the GraphQL API' },
  requestTimeout: {
    value: 'DURATION',
    type: 'duration',
    fallback: '30s',
    summary:
      'maximum time without data from the service; a JSON response must be complete within 10 times that',
  },
  maxWait: {
    value: 'DURATION',
    type: 'duration',
    fallback: '120s',
    summary: 'maximum time to wait for a rate limit to reset',
  },
  noCache: { summary: 'disable the cache' },
  color: { summary: 'use color even if the output is not a terminal' },
  noColor: { summary: 'disable color' },
  quiet: { short: 'q', summary: 'print only errors to standard error' },
  debug: { summary: 'print requests, settings and stack traces to standard error' },
  noInput: { summary: 'disable prompts' },
  noPager: { summary: 'disable the pager' },
  yes: { short: 'y', summary: 'skip confirmation prompts' },
  dryRun: { summary: 'print the request that would make a change, without sending it' },
  help: { short: 'h', summary: 'show help for the command' },
  version: { short: 'V', summary: 'show the version' },
} as const satisfies Options;
