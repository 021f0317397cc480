/**
 * Decides which code goes into which file of `dist/`; docs/decisions/start-up.md explains the
 * measurements. CommonJS, because Node's loader for ES modules takes as long as the tool's entire
 * help.
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

/**
 * In a single file: scripts call it in loops, and each file that Node opens takes half a
 * millisecond.
 */
const agentEntries = { 'buildkite-agent': 'src/service/shim/agent/main.ts' };

/** In its own file: the program that starts job processes must stay small. */
const starterEntries = { 'job-starter': 'src/service/runner/starter-program.ts' };

/**
 * Code that is loaded together is in one file: each root with everything that it imports
 * statically.
 */
const groups = [
  // For every command line, including help.
  { name: 'main', roots: ['src/main.ts'] },
  // For every command that sends requests.
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
  // Text measurement for tables, live views and spinners.
  { name: 'width', roots: ['src/render/width.ts'] },
  // Text measurement for tables with unusual text and for every `job log`.
  { name: 'east-asian-width', roots: ['node_modules/get-east-asian-width/index.js'] },
  // The cache, which `job log` and completion use.
  { name: 'cache', roots: ['src/cache/files.ts', 'src/common/clock.ts'] },
  // Used by every `job log`, and in parts by other commands.
  { name: 'log', roots: ['src/commands/job/log.ts'] },
  // Shared by the service and commands that do not use it.
  {
    name: 'shared',
    roots: ['src/common/write-files.ts', 'src/dotenv/secret.ts', 'src/common/find-bash.ts'],
  },
  // Package data shared in the same way: log pages have emojis but do not load the service.
  { name: 'emojis', roots: ['node_modules/emojibase-data/en/shortcodes/github.json'] },
  // Shared by the service and commands that call a background service; contains Node's HTTP.
  { name: 'admin', roots: ['src/service/admin.ts', 'src/service/state.ts'] },
  // The pipeline parser: `run --plan` and the worker thread need nothing else of the service.
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
  // Escaping for the service and its pages: a report does not load the service for it.
  { name: 'escape', roots: ['node_modules/hono/dist/utils/html.js'] },
  { name: 'service', roots: ['src/service/start-service.ts'] },
];

/** Other programs import the service as an ES module. */
const serviceModule = "export { startService } from './service.cjs';\n";

/**
 * Bundles the sources of the current directory.
 * @returns {Promise<{ name: string, contents: string, inputs: string[] }[]>} files for `dist/`,
 * importing files after imported ones; `inputs` are the sources in them
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
    // These contain WebAssembly and native code, which cannot be bundled.
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
  // As `require`: `import()` would load the loader for ES modules after all.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  hashCharacters: 'base36',
  // Keeps names for the stack traces of `--debug`; shorter ones would only save half a millisecond.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
});

/** A group includes what its roots import; what several groups import goes to the first. */
function group({ name, roots }, index) {
  const files = new Set(roots.map((path) => join(process.cwd(), path)));
  const test = (id) => files.has(id) || (index === 0 && isRuntime(id));
  return { name, priority: groups.length - index, test };
}

/**
 * The bundler's few helpers: a separate file would be one more to open. Packages have some, too.
 */
const isRuntime = (id) => id.includes('rolldown/runtime') && !id.includes('node_modules');

const file = ({ fileName, code, moduleIds }) => ({
  name: fileName,
  contents: code,
  inputs: moduleIds,
});
