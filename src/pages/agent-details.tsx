import { agentState, jobReference, type ListedAgent } from '../api/resources/agent.ts';
import { Facts, textFact, timeFact, type Fact, State, Plain, PlainLink } from './elements.tsx';
import type { PageContext } from './page-document.tsx';

export const AgentDetails = ({ agent, context }: { agent: ListedAgent; context: PageContext }) => {
  const facts: Fact[] = [
    ['State', <State state={agentState(agent) ?? ''} />],
    ...jobFact(agent, context),
    ['Tags', <Tags tags={agent.meta_data ?? []} />],
    ...timeFact('Paused since', agent.paused_at),
    ...textFact('Note', agent.paused_note),
    ...textFact('Host', agent.hostname),
    ...textFact('Address', agent.ip_address),
    ...textFact('Version', agent.version),
    ...timeFact('Last seen', agent.last_seen_at),
    ...timeFact('Last job ended', agent.last_job_finished_at),
    ...textFact('Id', agent.id),
  ];
  return (
    <>
      <h1>
        <Plain text={agent.name ?? ''} />
      </h1>
      <Facts facts={facts} />
    </>
  );
};

function jobFact(agent: ListedAgent, context: PageContext): Fact[] {
  const reference = jobReference(agent);
  if (reference === undefined) return [];
  const { web_url: address } = agent.job as { readonly web_url?: string | null };
  return [['Job', <PlainLink href={context.link(address)} text={reference} />]];
}

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <>
    {tags.map((text) => (
      <span class="tag">
        <Plain text={text} />
      </span>
    ))}
  </>
);
