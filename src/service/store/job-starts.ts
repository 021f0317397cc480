/** The jobs in the order in which agents took them: places in it, and steps along it. */
import type { Database, Row } from './database.ts';

/** A place: when an agent took the job, 0 where none has, and where it stands among all as they were made. */
export interface Start {
  readonly at: number;
  readonly seq: number;
}

export const jobStarts = (database: Database) => ({
  start: (id: string): Start | undefined =>
    startOf(database.get('select started_at, seq from jobs where id = ?', id)),
  /** The place of the job that was taken last, or first. */
  endOfStarts: (which: 'first' | 'last'): Start | undefined =>
    startOf(
      database.get(
        `${select} where started_at >= 0 order by ${which === 'first' ? ascending : descending} limit 1`,
      ),
    ),
  /** The place that is `steps` jobs further, to later ones or to earlier ones; nothing behind the last. */
  startBeyond: ({ at, seq }: Start, steps: number, to: 'later' | 'earlier'): Start | undefined => {
    const [sign, order] = to === 'later' ? ['>=', ascending] : ['<=', descending];
    const where = `where (started_at, seq) ${sign} (?, ?)`;
    return startOf(
      database.get(`${select} ${where} order by ${order} limit 1 offset ?`, at, seq, steps),
    );
  },
});

const select = 'select started_at, seq from jobs indexed by jobs_by_start';
const ascending = 'started_at, seq';
const descending = 'started_at desc, seq desc';

const startOf = (row: Row | undefined): Start | undefined =>
  row && { at: Number(row['started_at']), seq: Number(row['seq']) };
