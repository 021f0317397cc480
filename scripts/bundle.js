/**
 * Which code goes into which file of `dist/`: docs/decisions/start-up.md has the figures behind it.
 * CommonJS, because Node's loader of ES modules alone costs as much as all of the tool's help.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { lazyEntries, loadedLater } from './bundle-lazy.js';
import { rawTexts } from './bundle-texts.js';
import { withoutUnused } from './bundle-unused.js';

const entries = {
  main: 'src/main.ts',
  service: 'src/service/start-service.ts',
  'jq-worker': 'src/render/jq-worker.ts',
  'load-worker': 'src/service/pipeline/load-worker.ts',
  'markdown-worker': 'src/service/http/markdown-worker.ts',
  ...lazyEntries,
};

/** By itself, in one file: scripts call it in loops, and each file that Node opens takes half a millisecond. */
const agentEntries = { 'buildkite-agent': 'src/service/shim/agent/main.ts' };

/** By itself too: the program that starts the processes of jobs is small because it has nothing else. */
const starterEntries = { 'job-starter': 'src/service/runner/starter-program.ts' };

/** What is loaded together lies in one file: each root with all that it imports at once. */
const groups = [
  // Every command line, up to the help.
  { name: 'main', roots: ['src/main.ts'] },
  // Every command that asks a service.
  {
    name: 'work',
    roots: [
      'src/cli/run-command.ts',
      'src/api/client.ts',
      'src/http/network.ts',
      'src/refs/resolve.ts',
      'src/commands/builds/list.ts',
    ],
  },
  // What tables, live views and spinners measure with.
  { name: 'width', roots: ['src/render/width.ts'] },
  // What a table of odd texts and every `job log` measure with.
  { name: 'east-asian-width', roots: ['node_modules/get-east-asian-width/index.js'] },
  // Where the cache lies, how it is written and for how long it is asked: `job log` and completion.
  { name: 'cache', roots: ['src/cache/files.ts', 'src/common/clock.ts'] },
  // What every `job log` goes through, and others in parts.
  { name: 'log', roots: ['src/commands/job/log.ts'] },
  // What the service has in common with commands that have nothing to do with it.
  {
    name: 'shared',
    roots: ['src/common/write-files.ts', 'src/dotenv/secret.ts', 'src/common/find-bash.ts'],
  },
  // The same of a package: the page of a log has emojis, and loads no service for them.
  { name: 'emojis', roots: ['node_modules/emojibase-data/en/shortcodes/github.json'] },
  // What it has in common with commands that ask one in the background; Node's HTTP is in it.
  { name: 'admin', roots: ['src/service/admin.ts', 'src/service/state.ts'] },
  // What reads a pipeline file: `run --plan` and the worker thread need no more of the service.
  {
    name: 'pipeline',
    roots: [
      'src/service/pipeline/load.ts',
      'src/service/pipeline/environment.ts',
      'src/service/domain/needs.ts',
      'src/service/scheduler/choose-steps.ts',
      'src/service/scheduler/pipeline-file.ts',
      'src/service/runner/host-variables.ts',
      'src/service/git.ts',
    ],
  },
  // What the service and the pages escape texts with: a report of a build loads no service for it.
  { name: 'escape', roots: ['node_modules/hono/dist/utils/html.js'] },
  { name: 'service', roots: ['src/service/start-service.ts'] },
];

/** Other programs import the service as an ES module. */
const serviceModule = "export { startService } from './service.cjs';\n";

/**
 * Bundles the sources of the folder it runs in.
 * @returns {Promise<{ name: string, contents: string, inputs: string[] }[]>} files for `dist/`, an
 *   importing one after those it imports; `inputs` are the sources in it
 */
export async function bundle() {
  const [tool, agent, starter] = await Promise.all([
    chunksOf(entries, [withoutUnused, loadedLater, rawTexts], {
      codeSplitting: { groups: groups.map(group) },
    }),
    chunksOf(agentEntries, [withoutUnused], { codeSplitting: false }),
    chunksOf(starterEntries, [withoutUnused], { codeSplitting: false }),
  ]);
  return [
    ...tool,
    ...agent,
    ...starter,
    { name: 'service.js', contents: serviceModule, inputs: [] },
  ];
}

async function chunksOf(input, plugins, splitting) {
  const build = await rolldown({
    input,
    platform: 'node',
    // They carry WebAssembly and native code, which cannot be bundled.
    external: ['jq-wasm', 'libsql'],
    plugins,
    logLevel: 'warn',
  });
  try {
    const { output } = await build.generate({ ...outputOptions(), ...splitting });
    return output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)).map(file);
  } finally {
    await build.close();
  }
}

const outputOptions = () => ({
  format: 'cjs',
  strict: true,
  // By `require`: `import()` would load the loader of ES modules after all.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  hashCharacters: 'base36',
  // Names stay, for the stack traces of `--debug`; shorter ones would save half a millisecond.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
});

/** A group takes along what its roots import; what two of them import goes to the first. */
function group({ name, roots }, index) {
  const files = new Set(roots.map((path) => join(process.cwd(), path)));
  const test = (id) => files.has(id) || (index === 0 && isRuntime(id));
  return { name, priority: groups.length - index, test };
}

/** The few helpers of the bundler itself: a file of their own would be one more to open. Packages have some too. */
const isRuntime = (id) => id.includes('rolldown/runtime') && !id.includes('node_modules');

const file = ({ fileName, code, moduleIds }) => ({
  name: fileName,
  contents: code,
  inputs: moduleIds,
});
