/** Plans, apart from their builds: a build changes at every turn, its plan hardly ever. */
import type { Tree } from '../domain/records.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Database } from './database.ts';
import { writeRecord } from './records.ts';

export function insertPlan(database: Database, { build, plan }: Tree): void {
  database.run('insert into plans (build_id, plan) values (?, ?)', build.id, writeRecord(plan));
}

/** The one that was there first stays. */
export function updatePlan(database: Database, { build, plan }: Tree): void {
  database.run(
    'update plans set first = coalesce(first, plan), plan = ? where build_id = ?',
    writeRecord(plan),
    build.id,
  );
}

/** Of a build that is there. */
export function readPlan(
  database: Database,
  buildId: string,
  which: 'now' | 'first' = 'now',
): Plan {
  const column = which === 'first' ? 'coalesce(first, plan)' : 'plan';
  const row = database.get(`select ${column} as plan from plans where build_id = ?`, buildId);
  return JSON.parse(String(row?.plan)) as Plan;
}
