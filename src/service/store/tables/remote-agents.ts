/** The table of the agents that are programs of their own, and its migration. */
import type { RemoteAgent } from '../../domain/agents.ts';
import type { Database } from '../database.ts';
import type { KnownRecords } from '../caches.ts';
import { readRecord, readRecordMaybe, writeRecord } from '../sql.ts';

/** How many agents are looked at in a turn. */
const slice = 200;

export type RemoteAgents = ReturnType<typeof remoteAgents>;

export const remoteAgents = (database: Database, known: KnownRecords) => ({
  add: (agent: RemoteAgent) => {
    const { id, organizationId, state } = agent;
    database.run(
      'insert into agents (id, organization_id, state, data) values (?, ?, ?, ?)',
      ...[id, organizationId, state, writeRecord(agent)],
    );
  },
  update: (agent: RemoteAgent) => {
    database.run(
      'update agents set state = ?, data = ? where id = ?',
      ...[agent.state, writeRecord(agent), agent.id],
    );
  },
  byId: (id: string): RemoteAgent | undefined =>
    readRecordMaybe(database.get('select data from agents where id = ?', id)),
  /** Those that have not gone, of all organizations, in the order in which they came. */
  present: (): RemoteAgent[] =>
    database
      .all(
        "select data from agents where state in ('registered', 'connected', 'lost') order by seq",
      )
      .map(readRecord<RemoteAgent>),
  /**
   * Those that went before a time and have no job in any build any more, with their tokens. Looks at some
   * behind the place `after`; gives the place to go on from, 0 where there are no more.
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

/**
 * The migration for agents beside the slots. `demand` says what an agent has to be for a job
 * (`domain/demand.ts`); that of jobs which were there already is written when the service starts.
 */
export const agentTables = `
  create table agents (
    seq integer primary key autoincrement, id text not null unique,
    organization_id text not null references organizations (id) on delete cascade,
    state text not null, data text not null
  );
  create index agents_by_state on agents (state, seq);
  alter table jobs add column demand text not null default '';
  drop index jobs_to_start;
  create index jobs_to_start on jobs (demand, priority desc, build_seq, position, seq)
    where state = 'scheduled' and json_extract(data, '$.type') = 'script';
`;
