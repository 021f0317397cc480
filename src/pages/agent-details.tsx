import { agentState, jobReference, type ListedAgent } from '../api/resources/agent.ts';
import { Facts, textFact, timeFact, type Fact, State, Plain } from './elements.tsx';
import type { PageContext } from './page-document.tsx';

interface Shown {
  readonly agent: ListedAgent;
  readonly context: PageContext;
}

export const AgentDetails = (shown: Shown) => (
  <>
    <h1>
      <Plain text={shown.agent.name ?? ''} />
    </h1>
    <Facts facts={factsOf(shown)} />
  </>
);

const factsOf = ({ agent, context }: Shown): Fact[] => [
  ['State', <State state={agentState(agent) ?? ''} />],
  ...jobFact({ agent, context }),
  ['Tags', <Tags tags={agent.meta_data ?? []} />],
  ...timeFact('Paused since', agent.paused_at),
  ...textFact('Note', agent.paused_note),
  ...textFact('Host', agent.hostname),
  ...textFact('Address', agent.ip_address),
  ...textFact('Version', agent.version),
  ...timeFact('Heard of', agent.last_seen_at),
  ...timeFact('Last job ended', agent.last_job_finished_at),
  ...textFact('Id', agent.id),
];

function jobFact({ agent, context }: Shown): Fact[] {
  const reference = jobReference(agent);
  if (reference === undefined) return [];
  const { web_url: address } = agent.job as { readonly web_url?: string | null };
  const link = (
    <a href={context.link(address)}>
      <Plain text={reference} />
    </a>
  );
  return [['Job', link]];
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
