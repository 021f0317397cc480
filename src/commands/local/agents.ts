import { listedAgent } from '../../api/resources/listed-agent.ts';
import type { Handler } from '../../command/command.ts';
import type { localAgents } from './index.ts';
import { onRunningService } from './on-local-service.ts';

/** `cictl local agents`. */
export const listAgents: Handler<typeof localAgents> = (_, context) =>
  onRunningService(context, ({ agents }, { out, settings }) =>
    out.list(listedAgent, agents.list(settings.org ?? 'local'), {
      empty: 'no agents: cictl local agent start, or cictl local up --slots N',
    }),
  );
