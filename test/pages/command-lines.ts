/**
 * Command lines for every command that may print a URL of the built-in service, by command name.
 */

type Lines = Readonly<Record<string, readonly string[]>>;

/**
 * Lines that change something, in order: each uses what earlier ones created. `BUILD` is a build
 * with all kinds of jobs, `WAITING` one that is blocked.
 */
export const changingLines: Lines = {
  'local up': ['', '--json'],
  'local pipeline set': ['demo description=x', 'demo description=y --json'],
  'local pipeline add': ['extra --slug one', 'extra --slug other --json'],
  'local org add': ['third --json', 'fourth'],
  'local user add': ['Ada --email ada@example.com --json', 'Bob --email bob@example.com'],
  'local token create': ['--json'],
  'local agent-token create': ['--json'],
  run: ['extra', 'extra --json'],
  'builds create': [
    '-p demo -c HEAD -b main -m again',
    '-p demo -c HEAD -b main -m again --json',
    '-p demo -c HEAD -b main -m again --watch',
  ],
  'builds rebuild': ['BUILD', 'BUILD --json'],
  'builds cancel': ['WAITING --json --yes'],
  'job retry': ['BUILD#broken --yes', 'BUILD#broken --yes --json'],
  'job unblock': ['BUILD#go --yes --json'],
  annotate: ['hello --build BUILD', 'hello --build BUILD --json'],
  'annotations create': ['again --context again --build BUILD --json'],
  'rules create': [
    '--type pipeline.trigger_build.pipeline --source demo --target extra --json',
    '--type pipeline.artifacts_read.pipeline --source demo --target extra',
  ],
};

/** Lines that show the results, in any order. */
export const readingLines: Lines = {
  'local status': ['--json'],
  'local open': ['', 'BUILD', 'BUILD#unit', 'demo', '--json'],
  'local logs': [''],
  'local pipeline list': ['', '--json'],
  'local agent-token list': ['--json'],
  'local agents': ['', '--json'],
  'local artifacts': ['BUILD', 'BUILD --json'],
  'builds report': ['BUILD', 'BUILD --json'],
  'builds stats': ['', '--json', 'demo'],
  'local artifacts download': ['BUILD --out files'],
  'local secret list': ['--json'],
  'builds list': ['', '--json', '-o yaml', '--all-orgs --fields web_url,url,pipeline.badge_url'],
  'builds view': ['BUILD', 'BUILD --json', 'BUILD --web=print', 'BUILD --summary', 'WAITING'],
  'builds watch': ['BUILD', 'BUILD --json'],
  'builds failures': ['BUILD', 'BUILD --json', 'BUILD --markdown'],
  'job list': ['BUILD', 'BUILD --json'],
  'job view': ['BUILD#unit', 'BUILD#unit --json', 'BUILD#unit --web=print', 'BUILD#go --web=print'],
  'job log': ['BUILD#unit', 'BUILD#unit --format html', '--build BUILD --failed'],
  'job env': ['BUILD#unit'],
  'annotations list': ['BUILD', 'BUILD --json'],
  'annotations view': ['lint --build BUILD', 'lint --build BUILD --web=print'],
  'rules list': ['', '--json'],
  'orgs list': ['', '--json'],
  'orgs view': ['local', 'local --json'],
  'emojis list': ['--json'],
  'token view': ['', '--json'],
  metrics: ['', '--json'],
  graphql: ['GRAPHQL'],
  api: ['organizations', 'organizations/local/pipelines/demo/builds/1/artifacts'],
  'auth status': ['', '--json'],
  'profile list': ['', '--json'],
  'profile view': ['', '--json'],
  help: ['environment'],
};

/** The query of `graphql`. */
export const graphqlQuery = `{
  viewer { user { avatar { url } } }
  organization(slug: "local") {
    pipelines(first: 5) { edges { node {
      url webhookURL repository { url }
      builds(first: 8) { edges { node {
        url
        jobs(first: 20) { edges { node { ... on JobTypeCommand { url artifacts(first: 2) { edges { node { downloadURL } } } } } } }
      } } }
    } } }
  }
}`;

/** Commands that print nothing about a service, use another one, or remove it. */
export const silentCommands: readonly string[] = [
  'local down',
  'local prune',
  'local reset',
  'local pipeline remove',
  'local agents start',
  'local agents stop',
  'local agents pause',
  'local agents resume',
  'local agent-token revoke',
  'local secret set',
  'local secret remove',
  'rules view',
  'rules delete',
  'job delete-log',
  'token revoke',
  'auth login',
  'auth logout',
  'auth token',
  'profile use',
  'profile set',
  'profile remove',
  'completion',
  'mcp',
];
