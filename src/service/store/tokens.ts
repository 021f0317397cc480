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
  removeJobTokens: () => {
    database.run("delete from tokens where kind = 'job'");
    known.clear();
  },
});
