/** Tokens, kept as hashes only. */
import type { Token } from '../../domain/records.ts';
import type { Database } from '../database.ts';
import type { KnownRecords } from '../caches.ts';
import { readRecord, readRecordMaybe, writeRecord } from '../sql.ts';

/** How many tokens are looked at in a turn. */
const slice = 1000;

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
  /**
   * Those of jobs that other agents ended before a time. Looks at some behind the place `after`;
   * the place to go on from, 0 where there are no more: there may be tens of thousands.
   */
  removeOldTokens: (before: number, after: number): number => {
    const looked = database.all(
      `select t.seq, json_extract(j.data, '$.finishedAt') as finished from tokens t
       join jobs j on j.id = t.job_id where t.kind = 'job' and t.seq > ? order by t.seq limit ?`,
      ...[after, slice],
    );
    const old = looked.filter(({ finished }) => finished !== null && Number(finished) < before);
    database.transaction(() => {
      for (const { seq = null } of old) database.run('delete from tokens where seq = ?', seq);
    });
    if (old.length > 0) known.clear();
    return looked.length < slice ? 0 : Number(looked.at(-1)?.seq);
  },
});
