import type { Options } from '../command/command.ts';
import { outputFormats } from '../parse/output-format.ts';

export const globalOptions = {
  profile: { value: 'NAME', suggests: 'profiles', summary: 'use this profile' },
  output: {
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    summary: 'output format (table on a terminal, tsv in a pipe)',
  },
  json: {
    inline: 'fields',
    summary: 'the same as -o json; --json=A,B is --json --fields A,B',
  },
  fields: { value: 'A,B,C', summary: 'only these members, dots reach inside (pipeline.slug)' },
  jq: { value: 'EXPR', summary: 'filter the JSON with a jq program' },
  org: { value: 'SLUG', suggests: 'organizations', summary: 'organization' },
  pipeline: { short: 'p', value: 'SLUG', suggests: 'pipelines', summary: 'pipeline' },
  baseUrl: { value: 'URL', summary: 'address of the REST API (serves all three when alone)' },
  agentUrl: { value: 'URL', summary: 'address of the agent metrics API' },
  graphqlUrl: { value: 'URL', summary: 'address of the GraphQL API' },
  requestTimeout: {
    value: 'DURATION',
    type: 'duration',
    fallback: '30s',
    summary: 'maximum silence of the service; JSON must be complete within ten times that',
  },
  maxWait: {
    value: 'DURATION',
    type: 'duration',
    fallback: '120s',
    summary: 'longest wait for a rate limit',
  },
  noCache: { summary: 'neither read nor write the cache' },
  color: { summary: 'colour even where it is no terminal' },
  noColor: { summary: 'no colour' },
  quiet: { short: 'q', summary: 'only errors on standard error' },
  debug: { summary: 'print requests, settings and stack traces on standard error' },
  noInput: { summary: 'never ask' },
  noPager: { summary: 'never start a pager' },
  yes: { short: 'y', summary: 'answer yes to confirmations' },
  dryRun: { summary: 'print the request that would change something, send nothing' },
  help: { short: 'h', summary: 'help of the command' },
  version: { short: 'V', summary: 'version of cictl' },
} as const satisfies Options;
