import { agentState, jobReference, type ListedAgent } from '../api/resources/listed-agent.ts';
import { Moment } from './moment.tsx';
import type { PageContext } from './page-context.ts';
import { State } from './state.tsx';
import { Plain } from './text.tsx';

/** What an agent is and does. */
export const agentDetails = (shown: Shown) => (
  <>
    <h1>
      <Plain text={shown.agent.name ?? ''} />
    </h1>
    <dl class="facts">
      <Fact name="State">
        <State state={agentState(shown.agent) ?? ''} />
      </Fact>
      <JobFact {...shown} />
      <Fact name="Tags">
        {shown.agent.meta_data?.map((text) => (
          <Tag text={text} />
        ))}
      </Fact>
      <TimeFact name="Paused since" time={shown.agent.paused_at} />
      <TextFact name="Note" text={shown.agent.paused_note} />
      <TextFact name="Host" text={shown.agent.hostname} />
      <TextFact name="Address" text={shown.agent.ip_address} />
      <TextFact name="Version" text={shown.agent.version} />
      <TimeFact name="Heard of" time={shown.agent.last_seen_at} />
      <TimeFact name="Last job ended" time={shown.agent.last_job_finished_at} />
      <TextFact name="Id" text={shown.agent.id} />
    </dl>
  </>
);

interface Shown {
  readonly agent: ListedAgent;
  readonly context: PageContext;
}

const JobFact = ({ agent, context }: Shown) => {
  const reference = jobReference(agent);
  if (reference === undefined) return <></>;
  const { web_url: address } = agent.job as { readonly web_url?: string | null };
  return (
    <Fact name="Job">
      <a href={context.link(address)}>
        <Plain text={reference} />
      </a>
    </Fact>
  );
};

const TextFact = ({ name, text }: { name: string; text: string | null | undefined }) =>
  text ? (
    <Fact name={name}>
      <Plain text={text} />
    </Fact>
  ) : (
    <></>
  );

const TimeFact = ({ name, time }: { name: string; time: string | null | undefined }) =>
  time ? (
    <Fact name={name}>
      <Moment time={time} />
    </Fact>
  ) : (
    <></>
  );

const Tag = ({ text }: { readonly text: string }) => (
  <span class="tag">
    <Plain text={text} />
  </span>
);

const Fact = ({ name, children }: { readonly name: string; readonly children?: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
