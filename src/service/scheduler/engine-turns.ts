/** Actions about the same thing, one after another. */

/** Starts the action when those before it of this name have ended, however they did. */
export async function inTurn<T>(
  turns: Map<string, Promise<unknown>>,
  name: string,
  action: () => Promise<T>,
): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve();
  const done = before.then(action, action);
  turns.set(name, done);
  try {
    return await done;
  } finally {
    if (turns.get(name) === done) turns.delete(name);
  }
}
