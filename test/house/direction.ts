/**
 * The direction of imports: who may know whom. A folder or file is named by its path below `src/`;
 * the longest name that fits a source is its rule.
 */

/** Which parts a part may use, types included, beside itself and what is known to all. */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli', 'terminal', 'config', 'render/text.ts'],
  cli: ['command', 'commands', 'api', 'http', 'config', 'render', 'refs', 'parse', 'terminal'],
  commands: [
    'command',
    'api',
    'cache',
    'config',
    'dotenv',
    'git.ts',
    'http',
    'service',
    'log',
    'parse',
    'refs',
    'render',
    'terminal',
    'triage',
    'watch',
  ],
  command: ['api/resources'],
  cache: ['api', 'config', 'http'],
  api: ['http', 'parse'],
  http: [],
  refs: ['api', 'parse', 'git.ts', 'render/text.ts'],
  parse: [],
  dotenv: [],
  config: ['parse'],
  terminal: ['config', 'render'],
  render: ['api/resources', 'api/json.ts', 'api/nesting.ts', 'api/dry-run.ts', 'parse'],
  log: [],
  watch: ['api', 'render', 'log', 'refs', 'config', 'git.ts', 'command', 'parse'],
  triage: ['api', 'render', 'log', 'watch'],
  // What a command may use of the world: types alone.
  'context.ts': ['api', 'config', 'render', 'terminal'],
  // The client and the built-in service check each other, so they share types alone, and what is
  // one rule to the user: folders, and names of secrets.
  service: ['config/folders.ts', 'dotenv/secret.ts'],
  'service/domain': ['service/runner-port.ts'],
};

/** Known to all. */
export const common = [
  'abort.ts',
  'clock.ts',
  'context.ts',
  'draft-file.ts',
  'env.ts',
  'errors.ts',
  'find-bash.ts',
  'make-folder.ts',
  'suggest.ts',
  'timer.ts',
];

/** The only sources that may import a package. What is not here is imported nowhere. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli/program.ts'],
  undici: ['http/undici.ts', 'http/proxy-transport.ts'],
  conf: ['config/store.ts'],
  'proper-lockfile': ['config', 'service'],
  chalk: ['terminal', 'render'],
  ora: ['terminal'],
  open: ['terminal/open.ts'],
  'fastest-levenshtein': ['suggest.ts'],
  'cli-table3': ['render'],
  'html-to-text': ['render'],
  'string-width': ['render', 'terminal', 'log'],
  'jq-wasm': ['render'],
  yaml: ['render', 'service/pipeline'],
  'lossless-json': ['api/json.ts', 'render/yaml.ts', 'render/yaml-pieces.ts'],
  // The service renders logs with it as it is, and is checked by what we write ourselves.
  'ansi-to-html': ['log', 'service/http'],
  libsql: ['service/store'],
  hono: ['service/http'],
  '@hono/node-server': ['service'],
  graphql: ['service/graphql'],
  micromark: ['service'],
  'micromark-extension-gfm': ['service'],
  'sanitize-html': ['service'],
  'emojibase-data': ['service'],
};

/** Parts without network, files, processes or terminal: no built-in module but these. */
export const pure = ['api/resources', 'service/domain', 'log', 'refs', 'render', 'triage', 'watch'];
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
export const processUsers = ['main.ts', 'terminal', 'config', 'service/daemon/host.ts'];

/** Whether a path lies in a folder, or is the file, of that name. */
export const within = (path: string, part: string): boolean =>
  path === part || path.startsWith(`${part}/`);
