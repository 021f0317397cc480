/**
 * The direction of imports: who may know whom. A folder or file is named by its path below `src/`;
 * the longest name that fits a source is its rule.
 */

/** Which parts a part may use at run time, beside itself. Types may come from anywhere but `cli`. */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli', 'terminal', 'config', 'render/text.ts'],
  cli: ['commands', 'api', 'http', 'config', 'render', 'refs', 'terminal'],
  commands: [
    'cli/command.ts',
    'api',
    'cache',
    'config',
    'dotenv',
    'http/media-type.ts',
    'local',
    'log',
    'refs',
    'render',
    'terminal',
    'triage',
    'watch',
  ],
  api: ['http', 'refs/slug.ts'],
  http: [],
  refs: ['api/resources', 'api/refs.ts', 'dotenv'],
  dotenv: [],
  config: ['clock.ts', 'refs'],
  terminal: ['config', 'render', 'http', 'api'],
  render: ['api/resources', 'api/json.ts', 'api/nesting.ts', 'api/dry-run.ts'],
  log: [],
  watch: ['api/resources', 'render', 'log'],
  cache: ['api/refs.ts'],
  triage: ['api/resources', 'render', 'log', 'watch'],
  // The client and the built-in service check each other, so they share types alone.
  local: ['config/folders.ts', 'config/settings.ts'],
  'local/domain': ['local/work.ts'],
};

/** Known to all. */
export const common = [
  'clock.ts',
  'context.ts',
  'errors.ts',
  'find-bash.ts',
  'make-folder.ts',
  'suggest.ts',
  'timer.ts',
];

/** The only sources that may import a package. What is not here is imported nowhere. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  undici: ['http/undici.ts', 'http/proxied.ts'],
  conf: ['config/store.ts'],
  'proper-lockfile': ['config', 'local'],
  chalk: ['terminal', 'render'],
  ora: ['terminal'],
  'cli-table3': ['render'],
  'html-to-text': ['render'],
  'string-width': ['render', 'terminal', 'log'],
  'jq-wasm': ['render'],
  yaml: ['render', 'local/pipeline'],
  'lossless-json': ['api/json.ts', 'render/yaml.ts', 'render/yaml-pieces.ts'],
  // The service renders logs with it as it is, and is checked by what we write ourselves.
  'ansi-to-html': ['log', 'local/http'],
  libsql: ['local/store'],
  hono: ['local/http'],
  '@hono/node-server': ['local'],
  graphql: ['local/graphql'],
  micromark: ['local'],
  'micromark-extension-gfm': ['local'],
  'sanitize-html': ['local'],
  'emojibase-data': ['local'],
};

/** Parts without network, files, processes or terminal: no built-in module but these. */
export const pure = ['api/resources', 'local/domain', 'log', 'refs', 'render', 'triage', 'watch'];
export const pureBuiltins = [
  'node:buffer',
  'node:util',
  'node:string_decoder',
  'node:path',
  'node:url',
];
/** Asks git, through a function that its caller gives; has a thread, so that jq can be ended. */
export const impure = ['refs/git.ts', 'render/jq-thread.ts', 'render/jq-worker.ts'];

/** Where the process itself is touched; the service in the background is one of its own. */
export const processUsers = ['main.ts', 'terminal', 'config', 'local/daemon/host.ts'];

/** Whether a path lies in a folder, or is the file, of that name. */
export const within = (path: string, part: string): boolean =>
  path === part || path.startsWith(`${part}/`);
