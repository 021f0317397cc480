/** Annotations, rules and emojis. */
import type { Annotation, Emoji, Rule } from '../domain/records.ts';
import type { Slice } from './builds.ts';
import type { Database } from './database.ts';
import { read, readMaybe, write } from './records.ts';

export type Notes = ReturnType<typeof notes>;

export const notes = (database: Database) => ({
  annotation: (buildId: string, context: string): Annotation | undefined =>
    readMaybe(
      database.get(
        'select data from annotations where build_id = ? and context = ?',
        buildId,
        context,
      ),
    ),
  annotationById: (id: string): Annotation | undefined =>
    readMaybe(database.get('select data from annotations where id = ?', id)),
  /** The higher priority first, then the older. */
  annotations: (buildId: string, { offset, limit }: Slice): Annotation[] =>
    database
      .all(
        'select data from annotations where build_id = ? order by priority desc, seq limit ? offset ?',
        buildId,
        limit,
        offset,
      )
      .map(read<Annotation>),
  countAnnotations: (buildId: string): number =>
    Number(database.get('select count(*) as n from annotations where build_id = ?', buildId)?.n),
  putAnnotation: (annotation: Annotation) => {
    database.run(
      `insert into annotations (id, build_id, context, priority, data) values (?, ?, ?, ?, ?)
       on conflict (build_id, context) do update set priority = excluded.priority, data = excluded.data`,
      annotation.id,
      annotation.buildId,
      annotation.context,
      annotation.priority,
      write(annotation),
    );
  },
  /** Whether there was one. */
  removeAnnotation: (buildId: string, id: string): boolean =>
    database.get(
      'delete from annotations where build_id = ? and id = ? returning id',
      buildId,
      id,
    ) !== undefined,

  rules: (organizationId: string): Rule[] =>
    database
      .all('select data from rules where organization_id = ? order by seq', organizationId)
      .map(read<Rule>),
  addRule: (rule: Rule) => {
    database.run(
      'insert into rules (id, organization_id, data) values (?, ?, ?)',
      rule.id,
      rule.organizationId,
      write(rule),
    );
  },
  removeRule: (id: string) => {
    database.run('delete from rules where id = ?', id);
  },

  emojis: (organizationId: string): Emoji[] =>
    database
      .all('select data from emojis where organization_id = ? order by seq', organizationId)
      .map(read<Emoji>),
  putEmoji: (emoji: Emoji) => {
    database.run(
      `insert into emojis (organization_id, name, data) values (?, ?, ?)
       on conflict (organization_id, name) do update set data = excluded.data`,
      emoji.organizationId,
      emoji.name,
      write(emoji),
    );
  },
});
