import type { PageContext } from './page-context.ts';

/**
 * What forms that change something carry: that they are of this session, and a value by which one that is
 * sent twice is known. Browsers are not to fill in that of an earlier page.
 */
export const FormToken = ({
  context: { formToken, once },
}: {
  readonly context: Pick<PageContext, 'formToken' | 'once'>;
}) => (
  <>
    <input type="hidden" name="form_token" value={formToken} />
    {once !== undefined && <input type="hidden" name="once" value={once} autocomplete="off" />}
  </>
);
