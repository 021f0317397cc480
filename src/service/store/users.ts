/** Users. */
import type { User } from '../domain/records.ts';
import type { Database } from './database.ts';
import { read, readMaybe, write } from './records.ts';

export const users = (database: Database) => ({
  addUser: (user: User) => {
    database.run(
      'insert into users (id, email, data) values (?, ?, ?)',
      user.id,
      user.email,
      write(user),
    );
  },
  users: (): User[] => database.all('select data from users order by seq').map(read<User>),
  user: (id: string): User | undefined =>
    readMaybe(database.get('select data from users where id = ?', id)),
});
