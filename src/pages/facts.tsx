import type { Child } from 'hono/jsx';
import { Moment } from './moment.tsx';
import { Plain } from './text.tsx';

export type Fact = readonly [name: string, value: Child];

/** What is known of a build, a job or an agent: names with their values, in lines that wrap. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** None where there is no value, or an empty one. */
export const textFact = (name: string, value: string | number | null | undefined): Fact[] =>
  value === null || value === undefined || value === ''
    ? []
    : [[name, <Plain text={String(value)} />]];

/** None where there is no time. `time` as the API has it. */
export const timeFact = (name: string, time: string | null | undefined): Fact[] =>
  time ? [[name, <Moment time={time} />]] : [];
