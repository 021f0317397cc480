/** Tokens, kept as hashes only. */
import type { Token } from '../domain/records.ts';
import type { Database } from './database.ts';
import type { KnownRecords } from './known-records.ts';
import { readRecord, readRecordMaybe, writeRecord } from './records.ts';

export const tokens = (database: Database, known: KnownRecords) => ({
  addToken: (token: Token, hash: string) => {
    database.run(
      'insert into tokens (id, hash, kind, job_id, data) values (?, ?, ?, ?, ?)',
      token.id,
      hash,
      token.kind,
      token.jobId,
      writeRecord(token),
    );
  },
  token: (hash: string): Token | undefined =>
    known.get('token', hash, () =>
      readRecordMaybe(database.get('select data from tokens where hash = ?', hash)),
    ),
  tokens: (): Token[] =>
    database.all("select data from tokens where kind <> 'job' order by seq").map(readRecord<Token>),
  removeToken: (id: string) => {
    database.run('delete from tokens where id = ?', id);
    known.clear();
  },
  removeTokensOfJob: (jobId: string) => {
    database.run('delete from tokens where job_id = ?', jobId);
    known.clear();
  },
  /** Those of jobs that this machine has run by itself. */
  removeTokensOfSlots: () => {
    database.run(
      "delete from tokens where kind = 'job' and json_extract(data, '$.agentId') is null",
    );
    known.clear();
  },
  /** Those of jobs that other agents ended before a time, and of agents that are no longer known. */
  removeOldTokens: (before: number) => {
    database.run(
      `delete from tokens where kind = 'job' and job_id in (
         select j.id from tokens t join jobs j on j.id = t.job_id
         where t.kind = 'job' and json_extract(j.data, '$.finishedAt') < ?)`,
      before,
    );
    database.run(
      `delete from tokens where kind = 'session'
         and not exists (select 1 from agents where id = json_extract(tokens.data, '$.agentId'))`,
    );
    known.clear();
  },
});
