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
 * Bundled into a single file: scripts call the agent in loops, and each file that Node opens takes
 * half a millisecond.
 */
const agentEntries = { 'buildkite-agent': 'src/service/shim/agent/main.ts' };

/** Bundled into its own file: the program that starts job processes must stay small. */
const starterEntries = { 'job-starter': 'src/service/runner/starter-program.ts' };

/**
 * Code that is loaded together is in one file. Each group consists of its roots and everything that
 * they import statically.
 */
const groups = [
  // For every command line, including help. The settings and references are also all that
  // completion from the cache needs.
  {
    name: 'main',
    roots: [
      'src/main.ts',
      'src/config/git-settings.ts',
      'src/config/settings.ts',
      'src/cli/remembered.ts',
      'src/refs/checkout-pipelines.ts',
      'src/refs/parse-reference.ts',
    ],
  },
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
  { name: 'width', roots: ['src/render/width.ts', 'src/render/fit.ts'] },
  // Text measurement for tables with unusual text and for every `job log`.
  { name: 'east-asian-width', roots: ['node_modules/get-east-asian-width/index.js'] },
  // The cache, which `job log` and completion use.
  { name: 'cache', roots: ['src/cache/files.ts', 'src/common/clock.ts'] },
  // Used by every `job log` and, in part, by other commands.
  { name: 'log', roots: ['src/commands/job/log.ts'] },
  // Names and states of jobs, which reports, live views and `run` show.
  {
    name: 'jobs',
    roots: [
      'src/triage/next-commands.ts',
      'src/triage/job-words.ts',
      'src/triage/limits.ts',
      'src/watch/command-scope.ts',
      'src/watch/job-names.ts',
    ],
  },
  // Shared by the service and by commands that do not load the service.
  {
    name: 'shared',
    roots: ['src/common/write-files.ts', 'src/dotenv/secret.ts', 'src/common/find-bash.ts'],
  },
  // Emoji names, which log pages need without loading the service.
  { name: 'emojis', roots: ['node_modules/emojibase-data/en/shortcodes/github.json'] },
  // Shared by the service and commands that call a background service; contains Node's HTTP.
  { name: 'admin', roots: ['src/service/admin.ts', 'src/service/state.ts'] },
  // The pipeline parser: `run --plan` and the worker thread need no other part of the service.
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
  // HTML escaping, which a report needs without loading the service.
  { name: 'escape', roots: ['node_modules/hono/dist/utils/html.js'] },
  { name: 'service', roots: ['src/service/start-service.ts'] },
  // For `run` and `builds watch`.
  { name: 'watching', roots: ['src/watch/live-view.ts', 'src/watch/job-logs.ts'] },
];

/** Other programs import the service as an ES module. */
const serviceModule = "export { startService } from './service.cjs';\n";

/**
 * Bundles the sources of the current directory.
 * @returns {Promise<{ name: string, contents: string, inputs: string[] }[]>} files for `dist/`,
 * imported files before their importers; `inputs` are the sources in them
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
    return inlined(output)
      .toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))
      .map(file);
  } finally {
    await build.close();
  }
}

const outputOptions = () => ({
  format: 'cjs',
  strict: true,
  // Uses `require`: `import()` would load Node's loader for ES modules after all.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  hashCharacters: 'base36',
  // Keeps names for the stack traces of `--debug`. Short names would only save half a millisecond.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
});

/** Copies the bundler's few helpers into each file that needs them, to open one file less. */
function inlined(output) {
  const helpers = output.find(({ fileName }) => fileName.startsWith('rolldown-runtime-'));
  if (helpers === undefined) return output;
  const code = `(()=>{const exports={};${helpers.code.replace('"use strict";', '')}return exports})()`;
  return output
    .filter((chunk) => chunk !== helpers)
    .map((chunk) => ({
      ...chunk,
      code: chunk.code.replace(`require("./${helpers.fileName}")`, () => code),
    }));
}

/** A group includes what its roots import. Code of several groups goes to the first of them. */
function group({ name, roots }, index) {
  const files = new Set(roots.map((path) => join(process.cwd(), path)));
  return { name, priority: groups.length - index, test: (id) => files.has(id) };
}

const file = ({ fileName, code, moduleIds }) => ({
  name: fileName,
  contents: ascii(code),
  inputs: moduleIds,
});

/** If a file has a single character beyond Latin-1, V8 stores it with two bytes per character. */
const ascii = (code) =>
  code.replace(/\\[\0-\x7f]|\\?[^\0-\x7f]/g, (part) => {
    const unit = part.charCodeAt(part.length - 1);
    return unit < 0x80 ? part : `\\u${unit.toString(16).padStart(4, '0')}`;
  });
