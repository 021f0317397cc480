/** Asks before builds are canceled, with what they are: a number alone says little. */
import { buildName, type BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { stateWord } from '../../render/state.ts';
import { confirm, isAsked } from '../confirm.ts';
import { isUnfinished } from '../pickable.ts';

export interface Cancellation {
  readonly ref: BuildRef;
  /** Why it is not even tried. */
  readonly refusal?: CictlError;
}

/**
 * What is left to do once the user has agreed. A person is asked about builds that can be canceled;
 * nobody is where there is none. Where no person can be asked, nothing is looked up.
 */
export async function confirmCancel(
  refs: readonly BuildRef[],
  context: Context,
): Promise<Cancellation[]> {
  if (!isAsked(context)) {
    await confirm(context, `Cancel ${refs.map(buildName).join(', ')}?`);
    return refs.map((ref) => ({ ref }));
  }
  const titled = [];
  for (const ref of refs) titled.push(await titledBuild(ref, context));
  const titles = titled.flatMap(({ title }) => title ?? []);
  const [only] = titles;
  if (only !== undefined && titles.length === 1) await confirm(context, `Cancel ${only}?`);
  if (titles.length > 1) {
    for (const title of titles) context.messages.note(`  ${title}`);
    await confirm(context, `Cancel these ${titles.length} builds?`);
  }
  return titled;
}

interface Titled extends Cancellation {
  readonly title?: string;
}

async function titledBuild(ref: BuildRef, context: Context): Promise<Titled> {
  try {
    const { builds } = await context.client();
    const build = await builds.get(ref);
    if (isUnfinished(build)) return { ref, title: titleOf(ref, build) };
    throw new CictlError('refused', `${buildName(ref)} is ${wordOf(build)}: nothing to cancel`);
  } catch (error) {
    if (!(error instanceof CictlError) || error.kind === 'interrupted') throw error;
    return { ref, refusal: error };
  }
}

function titleOf(ref: BuildRef, build: Build): string {
  const [message = ''] = (build.message ?? '').split('\n');
  const parts = [wordOf(build), build.branch ?? '', message && JSON.stringify(message)];
  return `${buildName(ref)} (${parts.filter(Boolean).join(', ')})`;
}

const wordOf = ({ state, blocked }: Build): string =>
  stateWord(state ?? 'of unknown state', { blocked }).replaceAll('_', ' ');
