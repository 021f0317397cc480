import { build } from '../../api/resources/build.ts';
import { command } from '../../cli/command.ts';
import { watchFlags } from '../watching/flags.ts';

export const buildsCreate = command({
  name: 'builds create',
  summary: 'Create a build',
  details: 'Commit and branch default to those of the git checkout.',
  arguments: {},
  options: {
    commit: { short: 'c', value: 'COMMIT', summary: 'SHA, ref or tag to build, sent as typed' },
    branch: { short: 'b', value: 'BRANCH', summary: 'branch that the commit belongs to' },
    message: { short: 'm', value: 'TEXT', summary: 'message of the build' },
    author: { value: '"NAME <MAIL>"', summary: 'author of the build' },
    env: {
      short: 'e',
      value: 'K=V',
      repeat: true,
      summary: 'variable; K alone takes its value here',
    },
    envFrom: { value: 'FILE', summary: 'variables from a dotenv file' },
    metaData: { value: 'K=V', repeat: true, summary: 'meta-data of the build' },
    cleanCheckout: { summary: 'force a fresh checkout' },
    ignoreBranchFilters: { summary: "ignore the pipeline's branch filters" },
    prId: { value: 'N', type: 'integer', summary: 'number of the pull request' },
    prBaseBranch: { value: 'BRANCH', summary: 'base branch of the pull request' },
    prRepository: { value: 'URL', summary: 'repository of the pull request' },
    body: { value: 'JSON|@FILE', summary: 'the whole request body, in place of these flags' },
    ...watchFlags,
  },
  examples: [
    'cictl builds create -p hello -c HEAD -b main -m "try it"',
    'cictl builds create -p hello --body @build.json --dry-run',
  ],
  resource: build,
  mutates: true,
});
