/**
 * Start-up time of the tool and of the jobs' agent, compared to bare Node that does nothing or
 * sends the same request. `CICTL_BENCH_NODE` sets another Node for both.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { otherNode } from './other-node.js';
import { cleanEnv, measure, measureCpu } from './pair.js';

const here = import.meta.dirname;
const node = process.env.CICTL_BENCH_NODE ?? process.execPath;
const tool = [node, join(here, '../bin/cictl.js')];
/** Started like by its launcher on the PATH of jobs. */
const agent = [
  '/bin/sh',
  '-c',
  'exec "$0" -- "$@"',
  node,
  join(here, '../dist/buildkite-agent.cjs'),
];
const example = join(here, '../examples/hello');
const hello = [node, '-e', 'console.log(1)'];
const printing = "node -e 'console.log(1)'";
const halfSecond = 500;
/** In addition to the current one; downloaded by npm. */
const laterNodes = ['22', '24', '26'];

/** @param {string} folder an empty directory for the tool's own files */
export async function startRows(folder) {
  const server = spawn(process.execPath, [join(here, 'server.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  const env = {
    HOME: folder,
    CICTL_BASE_URL: url,
    CICTL_TOKEN: 'token',
    CICTL_ORG: 'acme',
    CICTL_PIPELINE: 'web',
    BUILDKITE_AGENT_ENDPOINT: `${url}/v3`,
    BUILDKITE_AGENT_ACCESS_TOKEN: 'token',
    BUILDKITE_JOB_ID: 'job',
  };
  const list = [node, join(here, 'bare-list.cjs'), url];
  const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
  const goal = (on20) => `at most ${version.startsWith('20.') ? on20 : '1.1'}`;
  const view = [...list, 'builds/7'];
  const row = (name, args, theirs, against, goal) => ({
    ...{ name, against, goal },
    run: () => measure({ ours: [...tool, ...args], theirs, env }),
  });
  const tenLines = `ten lines of node:http, Node ${version}`;
  return {
    unit: 'ms',
    rows: [
      row('--version', ['--version'], hello, printing, 'at most 1.10'),
      row('--help', ['--help'], hello, printing, 'at most 1.10'),
      row('completion bash', ['completion', 'bash'], hello, printing, 'at most 1.10'),
      {
        name: 'buildkite-agent meta-data keys',
        against: printing,
        goal: 'at most 1.3',
        run: () => measure({ ours: [...agent, 'meta-data', 'keys'], theirs: hello, env }),
      },
      row('builds list, 30 builds, TSV', ['builds', 'list'], list, tenLines, goal('1.3')),
      row(
        'builds list, 30 builds, --json',
        ['builds', 'list', '--json'],
        list,
        tenLines,
        goal('1.3'),
      ),
      row(
        'builds list, 30 builds, a table',
        ['builds', 'list', '-o', 'table'],
        list,
        tenLines,
        goal('1.45'),
      ),
      row('builds view', ['builds', 'view', '7'], view, tenLines, goal('1.3')),
      ...laterNodes.flatMap((line) => listsOn(line, url, env)),
      {
        name: 'builds list, 30 builds, a table in CPU time',
        against: 'TSV',
        ...{ goal: 'at most 15', sign: 'ms' },
        run: () => tableOverTsv(env),
      },
      {
        name: 'a table of 5,000 builds',
        against: 'half a second of CPU',
        goal: 'at most 1',
        run: () => manyRows({ ...env, CICTL_ORG: 'many' }),
      },
      row('run --plan', ['run', example, '--plan'], hello, printing),
      {
        name: 'builds view 7 --jq .number',
        ...{ against: 'builds view 7 --json', goal: 'at most 1.2' },
        run: () =>
          measure({
            ours: [...tool, 'builds', 'view', '7', '--jq', '.number'],
            theirs: [...tool, 'builds', 'view', '7', '--json'],
            env,
          }),
      },
      {
        name: 'builds failures of 3 jobs',
        ...{ against: 'builds view, in CPU time', goal: 'at most 1.6' },
        run: () =>
          measureCpu({
            ours: [...tool, 'builds', 'failures', '7'],
            theirs: [...tool, 'builds', 'view', '7'],
            env,
            warmUps: 6,
          }),
      },
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** The two lists compared to ten lines, on another Node. */
function listsOn(line, url, env) {
  const forms = { TSV: [], '--json': ['--json'] };
  return Object.entries(forms).map(([form, flags]) => ({
    name: `builds list, 30 builds, ${form}, Node ${line}`,
    against: `ten lines of node:http, Node ${line}`,
    goal: 'at most 1.1',
    run: () => {
      const other = otherNode(line);
      const ours = [other, tool[1], 'builds', 'list', ...flags];
      return measure({ ours, theirs: [other, join(here, 'bare-list.cjs'), url], env });
    },
  }));
}

function tableOverTsv(env) {
  const list = (form) => [...tool, 'builds', 'list', '-o', form];
  const result = measureCpu({ ours: list('table'), theirs: list('tsv'), env });
  return { ...result, figure: result.ours - result.theirs };
}

/** Fetched in fifty pages, compared to the same as TSV. */
function manyRows(env) {
  const list = (form) => [...tool, 'builds', 'list', '--all', '-o', form];
  const { ours, theirs } = measureCpu({ ours: list('table'), theirs: list('tsv'), env, rounds: 7 });
  const note = `; as TSV ${theirs.toFixed(1)} ms`;
  return { ours, theirs: halfSecond, ratio: ours / halfSecond, note };
}
