/** The `id` of objects: base64 of `Type---uuid`. */

export interface NodeId {
  readonly type: string;
  readonly uuid: string;
}

/** What an id names; clients call a job `Job`, or by its kind: `JobTypeCommand`. */
export function readId(text: string): NodeId {
  const [type = '', uuid = ''] = Buffer.from(text, 'base64').toString().split('---');
  return { type: type.startsWith('JobType') ? 'Job' : type, uuid };
}

/** The UUID of an id of that type, empty where it names something else. */
export function uuidOf(type: string, text: string): string {
  const id = readId(text);
  return id.type === type ? id.uuid : '';
}
