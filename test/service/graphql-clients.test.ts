import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

/** Queries of known clients with their members and variables; each must work unchanged. */
let service: Counterpart;
let build: Wire;

const file = `
steps:
  - { label: one, key: gen, command: 'true', agents: { queue: linux } }
  - wait
  - { label: two, command: 'exit 1', soft_fail: true }
  - { block: 'Go?' }
`;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', file);
  const author = { name: 'Ada', email: 'ada@example.com' };
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main', message: 'm', author });
  build = await service.settled(`${path}/builds/1`);
});

afterAll(() => service.close());

const info = 'pageInfo { hasNextPage endCursor }';
const command = `id uuid label command state exitStatus url startedAt finishedAt createdAt
  cluster { id name } clusterQueue { id key } agent { id name hostname metaData }`;

interface Asked {
  readonly query: string;
  readonly variables?: object;
  /** Must be contained in \`data\`. */
  readonly found: object;
}

const cases: Readonly<Record<string, Asked>> = {
  'official tool: jobs by state': {
    query: `query ListJobsByState($org: ID!, $state: [JobStates!], $first: Int, $after: String) {
      organization(slug: $org) { jobs(state: $state, first: $first, after: $after) {
        edges { node { ... on JobTypeCommand { ${command} } } } ${info} } } }`,
    variables: { org: 'local', state: ['FINISHED'], first: 100, after: null },
    found: {
      organization: {
        jobs: {
          edges: [
            { node: { label: 'two', exitStatus: '1', clusterQueue: null } },
            { node: {} },
            { node: { label: 'one', agent: { hostname: 'localhost' } } },
          ],
        },
      },
    },
  },
  'official tool: jobs by queue rule': {
    query: `query ListJobsByAgentQueryRules($org: ID!, $agentQueryRules: [String!], $state: [JobStates!], $first: Int) {
      organization(slug: $org) { jobs(first: $first, agentQueryRules: $agentQueryRules, state: $state) {
        edges { node { ... on JobTypeCommand { id label } } } ${info} } } }`,
    variables: { org: 'local', agentQueryRules: ['queue=linux'], state: null, first: 10 },
    found: { organization: { jobs: { edges: [{ node: { label: 'one' } }] } } },
  },
  'official tool: jobs of a cluster queue, of which there is none': {
    query: `query ListJobsByQueue($org: ID!, $clusterQueue: [ID!], $state: [JobStates!]) {
      organization(slug: $org) { clusters(first: 100) { edges { node { id name } } ${info} }
        jobs(clusterQueue: $clusterQueue, state: $state) { edges { node { __typename } } ${info} } } }`,
    variables: { org: 'local', clusterQueue: ['x'] },
    found: { organization: { clusters: { edges: [] }, jobs: { edges: [] } } },
  },
  'official tool: agents': {
    query: `query ListAgents($orgSlug: ID!, $first: Int, $after: String, $isRunningJob: Boolean, $paused: Boolean) {
      organization(slug: $orgSlug) {
        agents(first: $first, after: $after, isRunningJob: $isRunningJob, paused: $paused) {
          edges { node { id name hostname version connectionState metaData createdAt ipAddress userAgent
            isRunningJob paused pausedAt pausedBy { name } pausedNote pausedTimeoutInMinutes
            clusterQueue { id key } } } ${info} } } }`,
    variables: { orgSlug: 'local', first: 100 },
    found: {
      organization: {
        agents: {
          edges: [
            { node: { name: 'local-1', connectionState: 'connected', isRunningJob: false } },
            { node: { name: 'local-2', paused: false } },
          ],
        },
      },
    },
  },
  'official tool: builds of a branch': {
    query: `query RecentBuildsForBranch($branch: String!, $pipelineSlug: ID!) {
      pipeline(slug: $pipelineSlug) { builds(first: 2, branch: [$branch]) {
        edges { node { id message number url uuid } } } } }`,
    variables: { branch: 'main', pipelineSlug: 'local/p' },
    found: { pipeline: { builds: { edges: [{ node: { number: 1, message: 'm' } }] } } },
  },
  'official tool: a pipeline': {
    query: `query GetPipeline($slug: ID!) { pipeline(slug: $slug) { name description emoji color favorite
      steps { yaml } metrics { edges { node { label value } } } tags { label } } }`,
    variables: { slug: 'local/p' },
    found: { pipeline: { name: 'p', description: null, favorite: false, tags: [] } },
  },
  'official tool: pipelines by name': {
    query: `query FindPipelineFromCwd($organization: ID!, $term: String) { organization(slug: $organization) {
      pipelines(first: 10, search: $term) { edges { node { name organization { name } } } } } }`,
    variables: { organization: 'local', term: 'P' },
    found: {
      organization: {
        pipelines: { edges: [{ node: { name: 'p', organization: { name: 'Local' } } }] },
      },
    },
  },
  'official tool: pipelines by repository': {
    query: `query FindPipelineFromGitRepoUrl($organization: ID!, $repo: String!) {
      organization(slug: $organization) { pipelines(first: 10, repository: { url: $repo }) {
        edges { node { name } } } } }`,
    variables: { organization: 'local', repo: 'git@example.com:x.git' },
    found: { organization: { pipelines: { edges: [] } } },
  },
  'official tool: an artifact, of which there is none': {
    query: `query GetArtifacts($artifactId: ID!) { artifact(uuid: $artifactId) { uuid path downloadURL
      job { uuid pipeline { name } build { number } } } }`,
    variables: { artifactId: 'x' },
    found: { artifact: null },
  },
  'infrastructure as code: the organization': {
    query: `query getOrganization($slug: ID!) { organization(slug: $slug) {
      allowedApiIpAddresses id uuid membersRequireTwoFactorAuthentication } }`,
    variables: { slug: 'local' },
    found: { organization: { membersRequireTwoFactorAuthentication: false } },
  },
  'infrastructure as code: members': {
    query: `query GetOrganizationMembers($slug: ID!, $cursor: String, $team: TeamSelector, $role: [OrganizationMemberRole!]) {
      organization(slug: $slug) { id members(first: 500, after: $cursor, team: $team, role: $role) { ${info}
        edges { node { user { id uuid name email } } } } } }`,
    variables: { slug: 'local', cursor: null, role: ['ADMIN'] },
    found: {
      organization: {
        members: { edges: [{ node: { user: { email: 'local@localhost' } } }] },
      },
    },
  },
  'infrastructure as code: pipelines': {
    query: `query GetOrganizationPipelines($slug: ID!, $cursor: String, $search: String,
        $repository: PipelineRepositoryInput, $cluster: ID, $archived: Boolean, $tags: [String!]) {
      organization(slug: $slug) { pipelines(first: 500, after: $cursor, search: $search,
        repository: $repository, cluster: $cluster, archived: $archived, tags: $tags) {
        count ${info} edges { node { id uuid slug name description defaultBranch archived
          repository { url } cluster { id } } } } } }`,
    variables: { slug: 'local', archived: false },
    found: { organization: { pipelines: { count: 1, edges: [{ node: { archived: false } }] } } },
  },
  'infrastructure as code: a pipeline': {
    query: `query getPipeline($slug: ID!) { pipeline(slug: $slug) { ...PipelineFields } }
      fragment PipelineFields on Pipeline { id pipelineUuid: uuid allowRebuilds badgeURL
        branchConfiguration cancelIntermediateBuilds cancelIntermediateBuildsBranchFilter
        cloneMirrorUrl cluster { id name } color defaultBranch defaultTimeoutInMinutes emoji
        maximumTimeoutInMinutes description name repository { url } pipelineTemplate { id }
        skipIntermediateBuilds skipIntermediateBuildsBranchFilter slug steps { yaml } tags { label }
        teams(first: 5, order: NAME) { ...PipelineTeam } archived visibility webhookURL }
      fragment PipelineTeam on TeamPipelineConnection { pageInfo { endCursor hasNextPage } count
        edges { cursor node { id accessLevel team { id } } } }`,
    variables: { slug: 'local/p' },
    found: {
      pipeline: {
        allowRebuilds: true,
        defaultBranch: 'main',
        teams: { count: 0, edges: [] },
        visibility: 'PRIVATE',
      },
    },
  },
  'agents in containers: the jobs of a build': {
    query: `query GetBuild($slug: ID!) { build(slug: $slug) { ...B } }
      fragment B on Build { uuid id number state jobs(first: 100) { edges { node { ...J } } } }
      fragment J on Job { ... on JobTypeCommand { ...C } }
      fragment C on JobTypeCommand { uuid env scheduledAt agentQueryRules command priority { number } }`,
    variables: { slug: 'local/p/1' },
    found: {
      build: {
        state: 'PASSED',
        jobs: {
          edges: [
            {
              node: { command: 'true', agentQueryRules: ['queue=linux'], priority: { number: 0 } },
            },
            { node: {} },
            { node: { command: 'exit 1' } },
            { node: {} },
          ],
        },
      },
    },
  },
  'desktop tools: who a build is by, the same members of both kinds': {
    query: `query($slug: ID!) { viewer { user { name } } pipeline(slug: $slug) { builds(first: 1) { edges { node {
      createdBy { __typename ... on User { name email avatar { url } } ... on UnregisteredUser { name email avatar { url } } }
    } } } } }`,
    variables: { slug: 'local/p' },
    found: {
      pipeline: {
        builds: {
          edges: [
            {
              node: {
                createdBy: {
                  __typename: 'UnregisteredUser',
                  name: 'Ada',
                  email: 'ada@example.com',
                  avatar: {
                    url: expect.stringMatching(/^data:image\/svg\+xml;base64,/) as string,
                  },
                },
              },
            },
          ],
        },
      },
    },
  },
  'terminal tools: a build by fragments on the interface of jobs': {
    query: `query GetBuildSummary($slug: ID!) { build(slug: $slug) { id number state branch message commit
        createdAt startedAt finishedAt canceledAt url blockedState organization { id slug }
        jobs(first: 100) { count edges { node { __typename ...Summary } } }
        annotations(first: 50) { edges { node { id style context body { html } } } } } }
      fragment Summary on JobInterface { uuid retried retriesCount
        ... on JobTypeCommand { id label state exitStatus passed softFailed parallelGroupIndex parallelGroupTotal step { key } }
        ... on JobTypeBlock { id label state isUnblockable step { key } }
        ... on JobTypeTrigger { id label state async }
        ... on JobTypeWait { id label state step { key } } }`,
    variables: { slug: 'local/p/1' },
    found: {
      build: {
        canceledAt: null,
        blockedState: 'PASSED',
        jobs: {
          count: 4,
          edges: [
            { node: { state: 'FINISHED', passed: true, step: { key: 'gen' } } },
            { node: { __typename: 'JobTypeWait', state: 'FINISHED' } },
            {
              node: {
                state: 'FINISHED',
                passed: false,
                softFailed: true,
                parallelGroupIndex: null,
                parallelGroupTotal: null,
              },
            },
            { node: { state: 'BLOCKED', isUnblockable: true } },
          ],
        },
      },
    },
  },
  'statistics: builds with their end': {
    query: `{ pipeline(slug: "local/p") { builds(first: 500) { edges { node { commit createdAt
      createdBy { ... on User { userName: name } ... on UnregisteredUser { unregisteredUserName: name } }
      canceledAt canceledBy { ... on User { userName: name } } pullRequest { id } state url
    } } } } }`,
    found: {
      pipeline: {
        builds: { edges: [{ node: { createdBy: { unregisteredUserName: 'Ada' } } }] },
      },
    },
  },
  'caches: the last passing job of a step on the default branch': {
    query: `{ pipeline(slug: "local/p") { builds(first: 50, branch: ["%default"], state: [RUNNING, PASSED]) {
      edges { node { jobs(passed: true, first: 1, type: [COMMAND], step: { key: ["gen"] }) {
        edges { node { ... on JobTypeCommand { url artifacts { edges { node { downloadURL path } } } } } } } } } } } }`,
    found: {
      pipeline: {
        builds: {
          edges: [{ node: { jobs: { edges: [{ node: { artifacts: { edges: [] } } }] } } }],
        },
      },
    },
  },
  'queue watchers: unfinished jobs': {
    query: `query ActiveJobs($org: ID!, $states: [JobStates!], $first: Int!, $after: String) {
      organization(slug: $org) { jobs(first: $first, after: $after, clustered: true, type: [COMMAND], state: $states) {
        edges { node { ... on JobTypeCommand { uuid state label runnableAt agentQueryRules
          clusterQueue { key } build { number branch commit url } pipeline { slug } } } } ${info} } } }`,
    variables: {
      org: 'local',
      states: ['SCHEDULED', 'RUNNING', 'LIMITED', 'RESERVED'],
      first: 100,
    },
    found: { organization: { jobs: { edges: [] } } },
  },
  'dashboards: pipelines that are not archived, and their last builds': {
    query: `query GetPipelines($organizationSlug: ID!, $first: Int, $after: String) {
      viewer { id user { id uuid name email } organizations { edges { node { id name slug } } } }
      organization(slug: $organizationSlug) { pipelines(first: $first, after: $after, archived: false) {
        edges { node { slug builds(first: 1) { edges { node { createdAt state } } }
          } } ${info} } } }`,
    variables: { organizationSlug: 'local', first: 50 },
    found: {
      viewer: { organizations: { edges: [{ node: { slug: 'local' } }] } },
      organization: { pipelines: { edges: [{ node: { slug: 'p' } }] } },
    },
  },
};

test.each(Object.entries(cases))('%s', async (_, { query, variables, found }) => {
  const { status, json } = await service.post('/v1', { query, variables });
  expect(json['errors']).toBeUndefined();
  expect([status, json.data]).toMatchObject([200, found]);
});

test('official tool: retries and unblocks jobs with ids it builds itself', async () => {
  const id = (prefix: string, uuid = ''): string =>
    Buffer.from(`${prefix}---${uuid}`).toString('base64');
  const retry = `mutation RetryJob($id: ID!) { jobTypeCommandRetry(input: { id: $id }) {
    jobTypeCommand { id state url } } }`;
  const unblock = `mutation UnblockJob($id: ID!, $fields: JSON) {
    jobTypeBlockUnblock(input: { id: $id, fields: $fields }) {
      jobTypeBlock { id state isUnblockable build { url } } } }`;
  const asked = [
    { query: retry, variables: { id: id('JobTypeCommand', build.jobs[2]?.id) } },
    { query: unblock, variables: { id: id('JobTypeBlock', build.jobs[3]?.id), fields: '{}' } },
  ];
  for (const body of asked) {
    // The block step waits until the retried job has finished.
    await service.settled('/v2/organizations/local/pipelines/p/builds/1');
    expect((await service.post('/v1', body)).json['errors']).toBeUndefined();
  }
});

test('infrastructure as code: creates a rule with its value as a JSON string', async () => {
  await service.pipeline('q', "steps: [{ command: 'true' }]");
  const { json } = await service.get('/v2/organizations/local');
  const organizationId = json['graphql_id'];
  const query = `mutation create($organizationId: ID!, $ruleType: String!, $value: JSON!) {
      ruleCreate(input: { organizationId: $organizationId, type: $ruleType, value: $value }) { rule { ...F } } }
    fragment F on Rule { id uuid type sourceType targetType effect action
      source { ... on Pipeline { uuid } } target { ... on Pipeline { uuid } } }`;
  const variables = {
    organizationId,
    ruleType: 'pipeline.artifacts_read.pipeline',
    value: JSON.stringify({ source_pipeline: 'p', target_pipeline: 'q' }),
  };
  const created = await service.post('/v1', { query, variables });
  expect(created.json.data).toMatchObject({ ruleCreate: { rule: { action: 'ARTIFACTS_READ' } } });
  const { ruleCreate } = created.json.data as unknown as { ruleCreate: { rule: Wire } };
  const read = `query($id: ID!) { node(id: $id) { ... on Rule { uuid target { ... on Pipeline { slug } } } } }`;
  const node = await service.post('/v1', { query: read, variables: { id: ruleCreate.rule.id } });
  expect(node.json.data).toEqual({
    node: { uuid: ruleCreate.rule.uuid, target: { slug: 'q' } },
  });
});
