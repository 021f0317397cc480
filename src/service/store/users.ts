/** Users. */
import type { User } from '../domain/records.ts';
import type { Database } from './database.ts';
import type { KnownRecords } from './known-records.ts';
import { readRecord, readRecordMaybe, writeRecord } from './records.ts';

export const users = (database: Database, known: KnownRecords) => ({
  addUser: (user: User) => {
    database.run(
      'insert into users (id, email, data) values (?, ?, ?)',
      user.id,
      user.email,
      writeRecord(user),
    );
  },
  users: (): User[] => database.all('select data from users order by seq').map(readRecord<User>),
  user: (id: string): User | undefined =>
    known.get('user', id, () =>
      readRecordMaybe(database.get('select data from users where id = ?', id)),
    ),
});
