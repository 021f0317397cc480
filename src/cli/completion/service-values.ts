/** Values that the service has in one list. */
import { agentState } from '../../api/resources/agent.ts';
import type { Source } from './ask-service.ts';

const second = 1000;
const minute = 60 * second;

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

/** Those that can be stopped and paused, which slots cannot; where several have one name, their ids. */
export const localAgents: Source = (typed, { ask, settings }) =>
  ask(
    {
      ...({ api: 'rest', freshFor: second, query: { per_page: 100 } } as const),
      path: ['v2', 'organizations', settings.org ?? '', 'agents'],
      pick: (response) => {
        const all = objectsOf(response).filter((agent) => textIn(agent, 'last_seen_at') !== '');
        const names = all.map((agent) => textIn(agent, 'name'));
        return all.map((agent) => {
          const name = textIn(agent, 'name');
          const isOnly = names.filter((other) => other === name).length === 1;
          const text = isOnly ? name : textIn(agent, 'id');
          return { text, summary: `${agentState(agent) ?? ''}  ${textIn(agent, 'hostname')}` };
        });
      },
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

// Members of what a service sent, of which nothing is certain.

type Json = Readonly<Record<string, unknown>>;

/** The objects of an array; none where it is none. */
export const objectsOf = (value: unknown): Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];

/** A member that is an object; an empty one where it is none. */
export const objectIn = (object: Json, name: string): Json => {
  const value = object[name];
  return isObject(value) ? value : {};
};

/** A member that is a text or a number, as text; empty where it is neither. */
export function textIn(object: Json, name: string): string {
  const value = object[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
