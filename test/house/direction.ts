/**
 * The allowed direction of imports, including types. A directory or file is named by its path below
 * `src/`; the longest matching name is its rule.
 */

const parts = (names: string): string[] => names.split(' ');
const service = (names: string): string[] => parts(names).map((name) => `service/${name}`);

/**
 * All parts from top to bottom, each with the parts that it may import in addition to itself and
 * the common parts. A part only imports parts that are below it here.
 */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  'main.ts': parts('cli config terminal'),
  cli: parts(
    'commands command cache refs context.ts config terminal render api http common/git.ts parse',
  ),
  commands: parts(
    'command triage watch cache refs context.ts config terminal pages stats render api http log dotenv service common/git.ts parse',
  ),
  // The built-in service shares nothing with the client except the look of its pages, so that the
  // two verify each other.
  'service/daemon': service(
    'start-service.ts admin.ts state.ts data-folder.ts processes runner/processes.ts store/lock.ts',
  ),
  'service/start-service.ts': service(
    'processes accounts.ts service.ts graphql pages http data-folder.ts pruner.ts state.ts scheduler runner plugins store shim snapshots secrets.ts urls.ts',
  ),
  // Pages display API data, as reports of the client do; both are implemented in `pages`.
  'service/pages': [
    ...service('http service-context.ts domain secrets.ts'),
    ...parts('pages api/resources log'),
  ],
  'service/service.ts': service('runner-port.ts urls.ts'),
  'service/graphql': service('http service-context.ts scheduler store domain pipeline/plan.ts'),
  'service/http': service(
    'service-context.ts accounts.ts admin.ts git.ts pruner.ts scheduler snapshots store domain pipeline plugins runner/host-variables.ts runner-port.ts run-options.ts secrets.ts urls.ts worker-thread.ts',
  ),
  // What the routes use; types only.
  'service/service-context.ts': service(
    'processes data-folder.ts pruner.ts scheduler snapshots store',
  ),
  'service/processes': service('scheduler runner accounts.ts domain admin.ts store/files.ts'),
  'service/data-folder.ts': [],
  'service/pruner.ts': service('snapshots store'),
  'service/admin.ts': service('state.ts pipeline/plan.ts run-options.ts'),
  'service/scheduler': service(
    'snapshots store domain pipeline plugins git.ts accounts.ts urls.ts runner-port.ts run-options.ts',
  ),
  'service/runner': [
    ...parts('dotenv/secret.ts'),
    ...service('runner-port.ts plugins/plugin.ts pipeline/plan.ts run-options.ts'),
  ],
  'service/accounts.ts': service('store domain secrets.ts'),
  // The code of builds, for agents that cannot access its directory.
  'service/snapshots': service('store domain git.ts'),
  'service/store': service('domain pipeline/plan.ts state.ts run-options.ts'),
  'service/domain': service('pipeline/plan.ts runner-port.ts run-options.ts'),
  // The interface between scheduler and runner; types only.
  'service/runner-port.ts': service('pipeline/plan.ts run-options.ts'),
  // Plugins of a job: fetches them and converts their configuration to variables.
  'service/plugins': service('pipeline run-options.ts'),
  'service/shim': parts('dotenv/secret.ts'),
  'service/pipeline': service('git.ts worker-thread.ts'),
  // Slow work, in a thread other than the one that serves requests.
  'service/worker-thread.ts': [],
  'service/git.ts': [],
  'service/secrets.ts': [],
  'service/urls.ts': [],
  // How jobs of a build run here: types and defaults.
  'service/run-options.ts': [],
  'service/state.ts': [],
  command: parts('context.ts api/resources'),
  triage: parts('watch render api http/headers.ts log'),
  watch: parts('refs context.ts config/setting-origins.ts render api log parse'),
  cache: parts('context.ts config api http'),
  refs: parts('context.ts config/setting-origins.ts render/state.ts api common/git.ts parse'),
  // What commands may access outside of their arguments; types only.
  'context.ts': parts('config terminal render api'),
  config: parts('parse'),
  terminal: parts('render dotenv/secret.ts'),
  // HTML pages from API data.
  pages: parts('stats render/state.ts render/time.ts log api/resources'),
  // Statistics of many builds, for the terminal and for pages.
  stats: parts('api/resources'),
  render: parts('api/resources api/json.ts api/call.ts parse'),
  api: parts('http parse'),
  http: [],
  log: [],
  dotenv: [],
  'common/git.ts': [],
  parse: [],
};

/** Available to all parts; these only import each other. */
export const common = parts(
  'common/abort.ts common/attempt.ts common/checkout.ts common/clock.ts common/env.ts common/find-bash.ts common/v8.ts common/run-aside.ts common/suggest.ts common/untrusted-text.ts common/write-files.ts errors.ts',
);

/** The only sources that may import each package. Other packages may not be imported. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  commander: ['cli/program.ts'],
  undici: ['http/undici-transport.ts', 'http/proxy-transport.ts'],
  conf: ['config/store.ts'],
  'proper-lockfile': ['config', 'service'],
  chalk: ['terminal', 'render'],
  ora: ['terminal'],
  '@inquirer/search': ['terminal/pick.ts'],
  open: ['terminal/browser.ts'],
  'fastest-levenshtein': ['common/suggest.ts'],
  'cli-table3': ['render'],
  'html-to-text': ['render'],
  'string-width': ['render', 'terminal'],
  'get-east-asian-width': ['log/terminal/write.ts'],
  'jq-wasm': ['render'],
  yaml: ['render', 'service/pipeline', 'service/plugins/prepare-plugins.ts'],
  'lossless-json': ['api/json.ts', 'render/yaml.ts'],
  // The service renders logs with it directly, and our own rendering is checked against that.
  'ansi-to-html': ['log', 'service/http'],
  '@modelcontextprotocol/sdk': ['commands/mcp'],
  libsql: ['service/store'],
  hono: ['service/http', 'service/pages', 'pages'],
  graphql: ['service/graphql'],
  micromark: ['service'],
  'micromark-extension-gfm': ['service'],
  'sanitize-html': ['service', 'pages'],
  'emojibase-data': ['log/html', 'render', 'service'],
};

/**
 * Parts without network, files, processes or terminal: these are the only built-in modules they may
 * import.
 */
export const pure = [
  'api/resources',
  'pages',
  'service/domain',
  'log',
  'refs',
  'render',
  'stats',
  'triage',
  'watch',
];
export const pureBuiltins = [
  'node:buffer',
  'node:util',
  'node:string_decoder',
  'node:path',
  'node:url',
  // The output that is printed last is buffered in compressed form.
  'node:zlib',
];
/** Uses a thread, so that jq can be stopped. */
export const impure = ['render/jq/thread.ts', 'render/jq-worker.ts'];

/**
 * The sources that access the process itself. The background service and the agent are separate
 * processes.
 */
export const processUsers = [
  'main.ts',
  'terminal',
  'config',
  'common/clock.ts',
  'service/daemon',
  'service/runner/starter.ts',
  'service/runner/starter-program.ts',
  'service/shim/agent',
];

/** Whether a path is the named file or is inside the named directory. */
export const within = (path: string, part: string): boolean =>
  path === part || path.startsWith(`${part}/`);
