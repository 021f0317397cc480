import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Sending, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

let service: Counterpart;
let path: string;

const org = '/v2/organizations/local';
const file = `
steps:
  - { label: one, key: first, command: 'true' }
  - block: 'Go?'
    fields:
      - { text: Name, key: name }
      - { select: Where, key: where, multiple: true, required: false, options: [
          { label: A, value: a }, { label: B, value: b } ] }
  - { label: two, command: 'exit 1' }
`;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  path = `${await service.pipeline('p', file)}/builds`;
  await service.pipeline('plain', "steps: [{ command: 'exit 1' }]");
  await service.pipeline('still', "steps: [{ block: 'Go?' }]");
});

afterAll(() => service.close());

interface Reply {
  readonly status: number;
  readonly data?: Record<string, Wire | null> | null;
  readonly errors?: { readonly message: string; readonly path?: string[] }[];
}

async function send(query: string, variables: object = {}, sending: Sending = {}): Promise<Reply> {
  const reply = await service.post('/v1', { query, variables }, sending);
  return { status: reply.status, ...(reply.json as object) };
}

/** Sends one mutation with a variable `input`; resolves to its payload. */
async function mutate(name: string, input: object, members: string): Promise<Wire> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await send(
    `mutation M($input: ${type}!) { ${name}(input: $input) { ${members} } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data?.[name] as Wire;
}

async function refusal(name: string, input: object, sending: Sending = {}): Promise<string> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const reply = await send(
    `mutation M($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`,
    { input },
    sending,
  );
  expect(reply).toMatchObject({ status: 200, data: { [name]: null }, errors: [{ path: [name] }] });
  return reply.errors?.[0]?.message ?? '';
}

const graphqlId = (type: string, uuid: string): string =>
  Buffer.from(`${type}---${uuid}`).toString('base64');

async function idOf(pipeline: string): Promise<string> {
  const { data } = await send(`{ pipeline(slug: "local/${pipeline}") { id } }`);
  return data?.['pipeline']?.id ?? '';
}

async function organizationId(): Promise<string> {
  return (await service.get(org)).json['graphql_id'] as string;
}

/** A settled build of that pipeline. */
async function settled(pipeline = 'p'): Promise<Wire> {
  const builds = `${org}/pipelines/${pipeline}/builds`;
  const { json } = await service.post(builds, { commit: 'HEAD', branch: 'main' });
  return service.settled(`${builds}/${json.number}`);
}

const count = async (): Promise<number> => (await service.get(`${path}?per_page=100`)).list.length;

const gid = (wire: Wire | undefined): string => wire?.['graphql_id'] as string;

describe('buildCreate', () => {
  test('creates the build that REST would create', async () => {
    const input = {
      clientMutationId: 'mine',
      pipelineID: await idOf('p'),
      commit: 'abc',
      branch: 'b',
      message: 'm',
      author: { name: 'Ada', email: 'ada@example.com' },
      env: ['A=1', 'B=x=y', 'EMPTY='],
      metaData: [{ key: 'k', value: 'v' }],
    };
    const made = await mutate('buildCreate', input, 'clientMutationId build { number uuid }');
    expect(made['clientMutationId']).toBe('mine');
    const { number } = made['build'] as Wire;
    expect((await service.get(`${path}/${number}`)).json).toMatchObject({
      commit: 'abc',
      branch: 'b',
      message: 'm',
      author: { name: 'Ada', email: 'ada@example.com' },
      env: { A: '1', B: 'x=y', EMPTY: '' },
      meta_data: { k: 'v' },
      source: 'api',
      creator: { name: 'Local user' },
    });
  });

  test('omitted and empty values, as typed clients send them, mean HEAD of the default branch', async () => {
    const pipelineID = await idOf('plain');
    const blank = { commit: '', branch: '', message: '', author: { name: '', email: '' } };
    for (const input of [
      { pipelineID },
      { pipelineID, ...blank, env: null, metaData: null, clientMutationId: '' },
    ]) {
      const { build } = await mutate(
        'buildCreate',
        input,
        'build { commit branch message createdBy { ... on User { name } } }',
      );
      expect(build).toEqual({
        commit: 'HEAD',
        branch: 'main',
        message: '',
        createdBy: { name: 'Local user' },
      });
    }
  });

  test.each([
    [{ env: ['9A=x'] }, '"9A" is not a valid environment variable name'],
    [{ env: ['A=1', 'secret'] }, 'env[1] must be NAME=VALUE'],
    [{ pipelineID: graphqlId('Pipeline', 'nobody') }, 'No pipeline found'],
    [{ pipelineID: 'nonsense' }, 'No pipeline found'],
  ])('rejects %j and creates nothing', async (more, message) => {
    const before = await count();
    const input = { pipelineID: await idOf('p'), ...more };
    expect(await refusal('buildCreate', input)).toContain(message);
    expect(await count()).toBe(before);
  });

  test("rejects an excluded branch with REST's message", async () => {
    await service.pipeline('only', "steps: [{ command: 'true' }]");
    await service.admin('PATCH', '/organizations/local/pipelines/only', {
      branch_configuration: 'main',
    });
    const input = { pipelineID: await idOf('only'), branch: 'other' };
    const rest = await service.post(`${org}/pipelines/only/builds`, {
      commit: 'HEAD',
      branch: 'other',
    });
    expect(await refusal('buildCreate', input)).toBe(rest.json.message);
  });

  test('a type mismatch is an error before anything happens', async () => {
    const before = await count();
    const query = 'mutation($i: BuildCreateInput!) { buildCreate(input: $i) { clientMutationId } }';
    const reply = await send(query, { i: { commit: 'x' } });
    expect(reply.errors?.[0]?.message).toContain('"pipelineID" of required type "ID!"');
    expect(await count()).toBe(before);
  });
});

describe('buildCancel', () => {
  test('cancels, and shows when and by whom', async () => {
    const { number, ...build } = await settled('still');
    const { build: canceled } = await mutate(
      'buildCancel',
      { id: gid(build as Wire) },
      'build { state canceledAt canceledBy { email } cancelReason }',
    );
    expect(canceled).toEqual({
      state: 'CANCELED',
      canceledAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      canceledBy: { email: 'local@localhost' },
      cancelReason: null,
    });
    const { json } = await service.get(`${org}/pipelines/still/builds/${number}`);
    expect(json.state).toBe('canceled');
  });

  test('rejects a finished build as REST does', async () => {
    const build = await settled('plain');
    const rest = await service.put(`${org}/pipelines/plain/builds/${build.number}/cancel`);
    expect(await refusal('buildCancel', { id: gid(build) })).toBe(rest.json.message);
  });

  test('REST reports the same as GraphQL', async () => {
    const { number } = await settled('still');
    await service.put(`${org}/pipelines/still/builds/${number}/cancel`);
    const { data } = await send(
      `{ build(slug: "local/still/${number}") { canceledAt canceledBy { name } } }`,
    );
    expect(data?.['build']).toEqual({
      canceledAt: expect.any(String) as string,
      canceledBy: { name: 'Local user' },
    });
  });
});

test('buildRebuild returns the old and the new build', async () => {
  const build = await settled('plain');
  const made = await mutate(
    'buildRebuild',
    { id: gid(build) },
    'build { uuid } rebuild { number commit rebuiltFrom { uuid } }',
  );
  expect(made).toEqual({
    build: { uuid: build.id },
    rebuild: { number: build.number + 1, commit: 'HEAD', rebuiltFrom: { uuid: build.id } },
  });
});

describe('jobTypeCommandRetry', () => {
  const members = `jobTypeCommand { uuid retried retryType retriesCount }
    retriedInJobTypeCommand { uuid retriesCount retrySource { ... on JobTypeCommand { uuid } } }`;

  test.each(['Job', 'JobTypeCommand'])('accepts an id of %s', async (type) => {
    const [job] = (await settled('plain')).jobs;
    const id = graphqlId(type, job?.id ?? '');
    const { jobTypeCommand, retriedInJobTypeCommand } = await mutate(
      'jobTypeCommandRetry',
      { id },
      members,
    );
    expect(jobTypeCommand).toEqual({
      uuid: job?.id,
      retried: true,
      retryType: 'MANUAL',
      retriesCount: 0,
    });
    expect(retriedInJobTypeCommand).toEqual({
      uuid: expect.not.stringMatching(job?.id ?? '') as string,
      retriesCount: 1,
      retrySource: { uuid: job?.id },
    });
  });

  test("rejects with REST's message", async () => {
    const { jobs, number } = await settled();
    const [passed, block] = jobs;
    const texts = await Promise.all(
      [passed, block].map((job) => refusal('jobTypeCommandRetry', { id: gid(job) })),
    );
    const rest = await service.put(`${path}/${number}/jobs/${passed?.id ?? ''}/retry`);
    expect(texts).toEqual([rest.json.message, rest.json.message]);
    const [once] = (await settled('plain')).jobs;
    await mutate('jobTypeCommandRetry', { id: gid(once) }, 'clientMutationId');
    expect(await refusal('jobTypeCommandRetry', { id: gid(once) })).toBe(
      'Jobs can only be retried once',
    );
    expect(await refusal('jobTypeCommandRetry', { id: graphqlId('Job', 'nobody') })).toBe(
      'No job found',
    );
  });
});

describe('jobTypeBlockUnblock', () => {
  const members = `jobTypeBlock { state isUnblockable unblockedAt unblockedBy { name }
    build { metaData { edges { node { key value } } } } }`;

  test.each<[string, unknown]>([
    ['an object', { name: 'n', where: ['a', 'b'] }],
    ['a text of JSON', '{"name":"n","where":["a","b"]}'],
  ])('accepts fields as %s', async (_, fields) => {
    const block = (await settled()).jobs[1];
    const id = graphqlId('JobTypeBlock', block?.id ?? '');
    expect(await mutate('jobTypeBlockUnblock', { id, fields }, members)).toEqual({
      jobTypeBlock: {
        state: 'UNBLOCKED',
        isUnblockable: false,
        unblockedAt: expect.any(String) as string,
        unblockedBy: { name: 'Local user' },
        build: {
          metaData: {
            edges: [
              { node: { key: 'name', value: 'n' } },
              { node: { key: 'where', value: 'a\nb' } },
            ],
          },
        },
      },
    });
  });

  test.each<[unknown, string]>([
    [{ nme: 'x' }, 'The block step has no field "nme" (it has name, where)'],
    [{ name: 'n', where: 'c' }, '"c" is not an option of the field "where" (a, b)'],
    ['{', 'fields is not valid JSON'],
    [[1], 'Validation Failed: fields must be an object'],
  ])('rejects fields %j, and the job stays blocked', async (fields, message) => {
    const { number, jobs } = await settled();
    expect(await refusal('jobTypeBlockUnblock', { id: gid(jobs[1]), fields })).toBe(message);
    expect((await service.get(`${path}/${number}`)).json.jobs[1]?.state).toBe('blocked');
  });

  test('a job of another kind cannot be unblocked', async () => {
    const { jobs } = await settled();
    expect(await refusal('jobTypeBlockUnblock', { id: gid(jobs[0]) })).toBe(
      'This job type cannot be unblocked',
    );
  });
});

describe('buildAnnotate', () => {
  const members = `annotation { uuid style context priority body { html text } }
    annotationEdge { cursor node { context } } build { annotations { count } }`;

  test('annotates as REST does', async () => {
    const buildID = gid(await settled('still'));
    const input = { buildID, body: '*x*', style: 'ERROR', context: 'c', priority: 7 };
    expect(await mutate('buildAnnotate', input, members)).toEqual({
      annotation: {
        uuid: expect.any(String) as string,
        style: 'ERROR',
        context: 'c',
        priority: 7,
        body: { html: '<p><em>x</em></p>', text: '*x*' },
      },
      annotationEdge: { cursor: expect.any(String) as string, node: { context: 'c' } },
      build: { annotations: { count: 1 } },
    });
    const more = await mutate(
      'buildAnnotate',
      { buildID, body: 'y', append: true, context: 'c' },
      members,
    );
    expect(more).toMatchObject({
      annotation: { style: 'ERROR', priority: 7, body: { text: '*x*\ny' } },
      build: { annotations: { count: 1 } },
    });
  });

  test('the defaults are those of REST', async () => {
    const buildID = gid(await settled('still'));
    const { annotation } = await mutate(
      'buildAnnotate',
      { buildID, body: 'x' },
      'annotation { style context priority }',
    );
    expect(annotation).toEqual({ style: 'INFO', context: 'default', priority: 3 });
  });

  test('reports every problem, and writes nothing', async () => {
    const build = await settled('still');
    const input = { buildID: gid(build), priority: 11, context: 'x'.repeat(101) };
    expect(await refusal('buildAnnotate', input)).toBe(
      'Validation Failed: body is missing, priority must be between 1 and 10, context must have at most 100 characters',
    );
    const large = { buildID: gid(build), body: 'x'.repeat(1024 * 1024 + 1) };
    expect(await refusal('buildAnnotate', large)).toBe(
      'The annotation body must be less than 1 MB',
    );
    const annotations = `${org}/pipelines/still/builds/${build.number}/annotations`;
    expect((await service.get(annotations)).list).toEqual([]);
  });
});

describe('rules', () => {
  const type = 'pipeline.trigger_build.pipeline';
  const members = `clientMutationId rule { id uuid type description action effect sourceType targetType
    source { ... on Pipeline { slug } } target { ... on Pipeline { slug } } createdBy { name } }`;

  test('are created by object or string, and deleted', async () => {
    const organization = await organizationId();
    const value = { source_pipeline: 'p', target_pipeline: 'plain' };
    const created = await mutate(
      'ruleCreate',
      { organizationId: organization, type, value, description: 'why', clientMutationId: '1' },
      members,
    );
    const { id, uuid } = created['rule'] as Wire;
    expect(created).toEqual({
      clientMutationId: '1',
      rule: {
        id: graphqlId('Rule', uuid),
        uuid,
        type,
        description: 'why',
        action: 'TRIGGER_BUILD',
        effect: 'ALLOW',
        sourceType: 'PIPELINE',
        targetType: 'PIPELINE',
        source: { slug: 'p' },
        target: { slug: 'plain' },
        createdBy: { name: 'Local user' },
      },
    });
    expect((await service.get(`${org}/rules/${uuid}`)).json).toMatchObject({ uuid, type });
    const again = { organizationId: organization, type, value: JSON.stringify(value) };
    expect(await refusal('ruleCreate', again)).toBe('This rule already exists');
    const input = { organizationId: organization, id };
    expect(await mutate('ruleDelete', input, 'deletedRuleId')).toEqual({ deletedRuleId: id });
    expect((await service.get(`${org}/rules/${uuid}`)).status).toBe(404);
    expect(await refusal('ruleDelete', input)).toBe('No rule found');
  });

  test.each<[object, string]>([
    [{ type: 'x.y.z' }, 'Unknown rule type "x.y.z"'],
    [{ value: '{"source_pipeline":"p","target_pipeline":"nobody"}' }, 'The target pipeline nobody'],
    [{ value: {} }, 'source_pipeline_uuid is missing'],
    [{ value: '[' }, 'value is not valid JSON'],
    [{ organizationId: graphqlId('Organization', 'nobody') }, 'No organization found'],
  ])('rejects %j', async (more, message) => {
    const value = { source_pipeline: 'p', target_pipeline: 'plain' };
    const input = { organizationId: await organizationId(), type, value, ...more };
    expect(await refusal('ruleCreate', input)).toContain(message);
    expect((await service.get(`${org}/rules`)).list).toEqual([]);
  });
});

describe('permissions', () => {
  test('a token of another organization sees nothing to change', async () => {
    await service.admin('POST', '/organizations', { slug: 'other' });
    const { token } = await service.admin('POST', '/tokens', { organizations: ['other'] });
    const build = await settled('still');
    const sending = { token };
    const texts = [
      await refusal('buildCancel', { id: gid(build) }, sending),
      await refusal('buildRebuild', { id: gid(build) }, sending),
      await refusal('buildAnnotate', { buildID: gid(build), body: 'x' }, sending),
      await refusal('jobTypeBlockUnblock', { id: gid(build.jobs[0]) }, sending),
      await refusal('buildCreate', { pipelineID: await idOf('still') }, sending),
    ];
    expect(texts).toEqual([
      'No build found',
      'No build found',
      'No build found',
      'No job found',
      'No pipeline found',
    ]);
    const { json } = await service.get(`${org}/pipelines/still/builds/${build.number}`);
    expect([json.blocked, json.state]).toEqual([true, build.state]);
  });

  test('requires only the scope graphql', async () => {
    const { token } = await service.admin('POST', '/tokens', { scopes: ['graphql'] });
    const input = { pipelineID: await idOf('still') };
    const query = 'mutation($i: BuildCreateInput!) { buildCreate(input: $i) { build { number } } }';
    expect((await send(query, { i: input }, { token })).errors).toBeUndefined();
    const { token: rest } = await service.admin('POST', '/tokens', { scopes: ['write_builds'] });
    expect(await send(query, { i: input }, { token: rest })).toEqual({
      status: 403,
      errors: [{ message: "Your access token doesn't have the graphql scope" }],
    });
  });
});

test('runs the mutations of a request in order, each seeing the previous result', async () => {
  const build = await settled('still');
  const query = `mutation($build: ID!, $job: ID!) {
    a: buildAnnotate(input: { buildID: $build, body: "x" }) { build { annotations { count } } }
    b: jobTypeBlockUnblock(input: { id: $job }) { jobTypeBlock { state build { state } } }
    c: buildCancel(input: { id: $build }) { build { state } }
    d: buildRebuild(input: { id: $build }) { build { annotations { count } jobs { edges { node {
      ... on JobTypeBlock { state } } } } } }
  }`;
  const { data, errors } = await send(query, { build: gid(build), job: gid(build.jobs[0]) });
  expect(data).toEqual({
    a: { build: { annotations: { count: 1 } } },
    b: { jobTypeBlock: { state: 'UNBLOCKED', build: { state: 'PASSED' } } },
    c: null,
    d: {
      build: { annotations: { count: 1 }, jobs: { edges: [{ node: { state: 'UNBLOCKED' } }] } },
    },
  });
  expect(errors).toMatchObject([
    { message: "Build can't be canceled because it is already passed", path: ['c'] },
  ]);
});
