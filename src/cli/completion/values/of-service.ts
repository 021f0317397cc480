/** Values that the service has in one list. */
import { isObject, objectIn, objectsOf, textIn } from './members.ts';
import type { Source } from './world.ts';

const minute = 60_000;

export const organizations: Source = (typed, { ask }) =>
  ask(
    {
      ...({ api: 'rest', freshFor: 10 * minute, query: { per_page: 100 } } as const),
      path: ['v2', 'organizations'],
      pick: (response) =>
        objectsOf(response).map((org) => ({
          text: textIn(org, 'slug'),
          summary: textIn(org, 'name'),
        })),
    },
    typed,
  );

/** Ids of rules, with what each permits. */
export const rules: Source = (typed, { ask, settings }) =>
  ask(
    {
      ...({ api: 'rest', freshFor: minute, query: { per_page: 100 } } as const),
      path: ['v2', 'organizations', settings.org ?? '', 'rules'],
      pick: (response) =>
        objectsOf(response).map((rule) => ({
          text: textIn(rule, 'uuid'),
          summary: `${textIn(rule, 'type')}  ${textIn(rule, 'source_uuid')} to ${textIn(rule, 'target_uuid')}`,
        })),
    },
    typed,
  );

/** The queues of the agent registration token, those without an agent too. */
export const queues: Source = (typed, { ask }) =>
  ask(
    {
      ...({ api: 'agent', freshFor: minute } as const),
      path: ['v3', 'metrics'],
      pick: (response) => {
        const metrics = isObject(response) ? response : {};
        const [agents, jobs] = ['agents', 'jobs'].map((name) =>
          objectIn(objectIn(metrics, name), 'queues'),
        );
        const names = new Set([...Object.keys(agents ?? {}), ...Object.keys(jobs ?? {})]);
        return [...names].map((text) => ({
          text,
          summary: `${textIn(objectIn(agents ?? {}, text), 'total') || '0'} agents`,
        }));
      },
    },
    typed,
  );
