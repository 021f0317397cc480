/** `cictl local agent stop|pause|resume`: what is asked of an agent, it hears at its next ping. */
import type { Agents } from '../../api/agents.ts';
import { jobReference } from '../../api/resources/listed-agent.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { duration } from '../../render/time.ts';
import { findAgent, type NamedAgent } from './find-agent.ts';
import type { localAgentPause, localAgentResume, localAgentStop } from './index.ts';
import { onRunningService } from './on-local-service.ts';

/** `cictl local agent stop NAME`. */
export const stopAgent: Handler<typeof localAgentStop> = ({ name, force }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.stop(org, agent, { force });
    const job = jobReference(agent);
    if (job === undefined) return `agent ${name} ends`;
    return force
      ? `agent ${name} ends, and its job ${job} is canceled`
      : `agent ${name} ends after its job ${job}`;
  });

/** `cictl local agent pause NAME`. */
export const pauseAgent: Handler<typeof localAgentPause> = (input, context) => {
  const minutes = minutesOf(input.for);
  return change(context, input.name, async (agents, org, agent) => {
    const note = input.note === undefined ? {} : { note: input.note };
    await agents.pause(org, agent, { ...note, timeout_in_minutes: minutes });
    return `agent ${input.name} is paused for ${duration(minutes * 60_000)}`;
  });
};

/** `cictl local agent resume NAME`. */
export const resumeAgent: Handler<typeof localAgentResume> = ({ name }, context) =>
  change(context, name, async (agents, org, agent) => {
    await agents.resume(org, agent);
    return `agent ${name} gets jobs again`;
  });

type Change = (agents: Agents, org: string, agent: NamedAgent) => Promise<string>;

/** `perform` says what was done. */
const change = (context: Context, name: string, perform: Change): Promise<void> =>
  onRunningService(context, async (client, { settings, messages }) => {
    const org = settings.org ?? 'local';
    const agent = await findAgent(client, org, name);
    messages.note(await perform(client.agents, org, agent));
  });

/** As many as the public service takes at most: seven days. */
const mostMinutes = 10_080;

/** Begun minutes count whole: the API knows no others. */
function minutesOf(ms = 300_000): number {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes >= 1 && minutes <= mostMinutes) return minutes;
  throw usageError('--for takes a duration from 1m to 7d');
}
