/** A new resource needs more than its file: a route, rows of the specification, documentation and an MCP tool. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolsFor } from '../../src/commands/mcp/tools.ts';
import { rows } from '../contract/rows.ts';

const top = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');
const commands = read('docs/commands.md');
const tools = new Set(toolsFor(true).map(({ name }) => name));

interface Complete {
  /** The file in `src/service/http/routes`. */
  readonly route: string;
  /** The section of the rows in `test/contract`. */
  readonly rows: string;
  /** The heading in `docs/commands.md`. */
  readonly command: string;
  /** The name of the MCP tool, or why there is none. */
  readonly tool: string | { readonly none: string };
}

const inOthers = { none: 'a part of builds and jobs' };
const complete: Readonly<Record<string, Complete>> = {
  access_token: {
    ...{ route: 'organizations', rows: 'Access token', command: 'token view' },
    tool: { none: 'a model has no business with tokens' },
  },
  agent: { route: 'agents', rows: 'Agent', command: 'local agents', tool: inOthers },
  annotation: {
    ...{ route: 'annotations', rows: 'Annotation', command: 'annotations list' },
    tool: 'annotations_list',
  },
  artifact: {
    ...{ route: 'artifacts', rows: 'Job', command: 'local artifacts' },
    tool: { none: 'the public API has no command for artifacts yet' },
  },
  build: { route: 'builds', rows: 'Build', command: 'builds list', tool: 'builds_list' },
  emoji: {
    ...{ route: 'organizations', rows: 'Emoji', command: 'emojis list' },
    tool: { none: 'pictures are of no use to a model' },
  },
  job: { route: 'jobs', rows: 'Job', command: 'job list', tool: 'job_list' },
  job_log: { route: 'logs', rows: 'Job log', command: 'job log', tool: 'job_log' },
  metrics: { route: 'metrics', rows: 'Metrics', command: 'metrics', tool: 'metrics' },
  organization: {
    ...{ route: 'organizations', rows: 'Organization', command: 'orgs list' },
    tool: 'orgs_list',
  },
  pipeline: {
    ...{ route: 'pipelines', rows: 'Pipeline', command: 'local pipeline list' },
    tool: inOthers,
  },
  rule: { route: 'rules', rows: 'Rule', command: 'rules list', tool: 'rules_list' },
  user: { route: 'organizations', rows: 'User', command: 'auth status', tool: inOthers },
};

const defined = readdirSync(join(top, 'src/api/resources'))
  .filter((name) => !name.includes('.test.'))
  .filter((name) => /= resource\(\{/.test(read(`src/api/resources/${name}`)))
  .map((name) => name.replace('.ts', ''));

test('lists every resource of the API', () => {
  expect(defined.sort()).toEqual(Object.keys(complete).sort());
});

test.each(Object.entries(complete))('%s has a route, rows, a tool and docs', (_, one) => {
  expect(existsSync(join(top, `src/service/http/routes/${one.route}.ts`))).toBe(true);
  expect(rows.some(({ section }) => section === one.rows)).toBe(true);
  expect(commands).toContain(`\n## cictl ${one.command}`);
  if (typeof one.tool === 'string') expect(tools).toContain(one.tool);
});
