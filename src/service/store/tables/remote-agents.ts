import type { RemoteAgent } from '../../domain/agents.ts';
import type { Database } from '../database.ts';
import type { KnownRecords } from '../caches.ts';
import { findRecord, insert, readRecord, writeRecord } from '../sql.ts';

/** Number of agents that one call of `removeGone` checks. */
const slice = 200;

export const remoteAgents = (database: Database, known: KnownRecords) => ({
  add: (agent: RemoteAgent) => {
    const { id, organizationId, state } = agent;
    const data = writeRecord(agent);
    insert(database, 'agents', { id, organization_id: organizationId, state, data });
  },
  update: (agent: RemoteAgent) => {
    database.run(
      'update agents set state = ?, data = ? where id = ?',
      ...[agent.state, writeRecord(agent), agent.id],
    );
  },
  byId: (id: string): RemoteAgent | undefined =>
    findRecord(database, 'select data from agents where id = ?', id),
  /** Returns the agents of all organizations, oldest first. Excludes disconnected agents. */
  present: (): RemoteAgent[] =>
    database
      .all(
        "select data from agents where state in ('registered', 'connected', 'lost') order by seq",
      )
      .map(readRecord<RemoteAgent>),
  /**
   * Removes agents that disconnected before a time, with their tokens, unless a job refers to them.
   * Checks one slice of all agents, starting after position `after`. Returns the position to
   * continue from, or 0 after the last slice.
   */
  removeGone: (before: number, after: number): number => {
    const rows = database.all(
      "select seq, data from agents where state = 'disconnected' and seq > ? order by seq limit ?",
      ...[after, slice],
    );
    database.transaction(() => {
      for (const row of rows) removeGone(database, readRecord<RemoteAgent>(row), before);
    });
    if (rows.length > 0) known.clear();
    return rows.length < slice ? 0 : Number(rows.at(-1)?.seq);
  },
});

function removeGone(database: Database, agent: RemoteAgent, before: number): void {
  if ((agent.disconnectedAt ?? before) >= before) return;
  const hadJob = `select 1 as yes from jobs where json_extract(data, '$.agent.id') = ? limit 1`;
  if (database.get(hadJob, agent.id) !== undefined) return;
  database.run('delete from tokens where id = ?', agent.tokenId);
  database.run('delete from agents where id = ?', agent.id);
}
