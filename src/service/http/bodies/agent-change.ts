/** The bodies of what is asked of an agent; the public service has the same members and defaults. */
import { bodyReader, objectOf } from '../body-reader.ts';

/** Its job is canceled unless `force` is false. Throws `ApiError`. */
export function readStop(body: unknown): { readonly force: boolean } {
  const given = objectOf(body);
  const members = bodyReader(given);
  const force = given['force'] === undefined || members.flag('force');
  members.done();
  return { force };
}

/** Minutes: five where nothing is said, seven days at most. Throws `ApiError`. */
export function readPause(body: unknown): { readonly note: string; readonly minutes: number } {
  const members = bodyReader(objectOf(body));
  const note = members.text('note') ?? '';
  const minutes = members.integer('timeout_in_minutes') ?? 5;
  const field = 'timeout_in_minutes';
  if (minutes < 1 || minutes > most)
    members.addError({ field, code: 'invalid', message: `${field} must be from 1 to ${most}` });
  if (note.length > longestNote) members.addError({ field: 'note', code: 'too_long' });
  members.done();
  return { note, minutes };
}

const most = 10_080;
const longestNote = 1000;
