/** Pipeline files of the scene. TAKES (seconds), EXIT and LOG specify how a job is simulated. */
export const web = `
steps:
  - label: ':package: Build'
    key: build
    command: npm run build
    env: { TAKES: '64' }
  - label: ':eslint: Lint'
    key: lint
    command: npm run lint
    soft_fail: true
    env: { TAKES: '31', EXIT: '1', LOG: lint }
  - group: ':jest: Tests'
    key: tests
    steps:
      - label: 'Unit'
        key: unit
        command: npx jest --ci
        depends_on: build
        parallelism: 3
        env: { TAKES: '95', EXIT: '\${UNIT:-0}', LOG: '\${UNIT_LOG:-passing}' }
      - label: 'Integration on {{matrix}}'
        key: integration
        command: npm run integration
        depends_on: build
        matrix: [linux, darwin]
        env: { TAKES: '148' }
      - label: 'End to end'
        key: e2e
        command: npx playwright test
        depends_on: [build, lint]
        retry: { automatic: [{ exit_status: 2, limit: 2 }] }
        env: { TAKES: '70', EXIT: '2 once' }
  - label: 'Documentation'
    key: docs
    command: npm run docs
    depends_on: build
    env: { TAKES: '22' }
  - label: 'Not on this branch'
    command: 'true'
    if: build.branch == "never"
  - wait
  - trigger: deploys
    label: ':rocket: Preview'
    build: { message: 'Preview of the build' }
  - block: 'Release?'
    key: gate
    prompt: 'Ship it to **everybody**?'
    fields:
      - { text: 'Version', key: version, hint: 'As in the change log', default: '1.4.0' }
      - select: 'Where to'
        key: regions
        multiple: true
        options: [{ label: 'Europe', value: eu }, { label: 'Americas', value: us }]
      - select: 'How fast'
        key: speed
        required: false
        options: [{ label: 'At once', value: fast }, { label: 'Over a day', value: slow }]
  - label: ':rocket: Release'
    key: release
    command: ./release
    env: { TAKES: '40' }
`;

/** A job that takes $SECONDS and exits with $STATUS. */
export const small = `
steps:
  - { label: 'Test', key: test, command: make test, env: { TAKES: '\${SECONDS:-25}', EXIT: '\${STATUS:-0}' } }
  - wait
  - { label: 'Deploy', key: deploy, command: make deploy, env: { TAKES: '20' } }
`;

export const waiting = `
steps:
  - { label: 'Test', key: test, command: make test, env: { TAKES: '600' } }
  - { label: 'For a machine that is not there', command: make gpu, agents: { queue: gpu } }
  - wait
  - { label: 'Deploy', command: make deploy }
`;
