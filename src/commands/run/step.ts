import {
  boolean,
  integer,
  json,
  map,
  prose,
  resource,
  text,
  texts,
} from '../../api/resources/resource.ts';

/** What `run --plan` shows of a job. */
export const stepResource = resource({
  name: 'step',
  plural: 'steps',
  members: {
    ...{ number: integer(), line: integer(), type: text(), key: text(), label: prose() },
    ...{ command: text(), needs: texts(), variant: text() },
    ...{ step: integer(), group: json(), depends_on: json(), omitted: json() },
    ...{ allow_dependency_failure: boolean(), parallel: json(), matrix: map(), env: map() },
    ...{ plugins: json(), agent_query_rules: texts(), artifact_paths: text(), retry: json() },
    ...{ soft_fail: json(), timeout_in_minutes: integer(), concurrency: json() },
    ...{ priority: integer(), cancel_on_build_failing: boolean(), secrets: json() },
    ...{ skip_checkout: boolean(), continue_on_failure: boolean(), prompt: prose() },
    ...{ fields: json(), blocked_state: text(), pipeline: text(), async: boolean() },
    ...{ build: json() },
  },
  columns: [
    { path: 'line', heading: 'LINE' },
    { path: 'type', heading: 'TYPE' },
    { path: 'key', heading: 'KEY' },
    { path: 'label', heading: 'LABEL' },
    { path: 'command', heading: 'COMMAND', or: 'pipeline' },
    { path: 'needs', heading: 'DEPENDS ON' },
    { path: 'group.label', heading: 'GROUP', or: 'group.key' },
    { path: 'variant', heading: 'VARIANT' },
    { path: 'omitted.reason', heading: 'LEFT OUT', priority: 4 },
  ],
});
