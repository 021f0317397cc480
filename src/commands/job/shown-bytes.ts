import type { Bytes } from '../../api/log-bytes.ts';
import type { Output } from '../../render/output.ts';
import type { LogFormat } from './index.ts';

/** A log for where it goes: people get the emojis of its headers, all others the text. */
export async function shownBytes(bytes: Bytes, format: LogFormat, out: Output): Promise<Bytes> {
  if (!out.isTerminal || (format !== 'ansi' && format !== 'text')) return bytes;
  return (await import('../../render/header-emojis.ts')).headerEmojis(bytes);
}
