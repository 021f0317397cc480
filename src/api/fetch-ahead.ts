import { createRateGate } from '../http/rate-gate.ts';
import type { ClientOptions } from './client-options.ts';
import { laterPages } from './later-pages.ts';
import { onPage } from './page.ts';
import { openPageWindow, pagesAhead } from './page-window.ts';
import { fetchPage, type FetchAhead } from './pages.ts';
import { createSendRequest, type Api } from './send-request.ts';

/**
 * Fetches pages side by side, within the limits of the service. Only for lists that are sorted by
 * when their elements were created, and from which none drops out.
 */
export const createFetchAhead =
  (api: Api, options: ClientOptions): FetchAhead =>
  async (call, { response, text, next, elements }) => {
    const pages = laterPages(response, next, elements);
    if (pages === undefined) return undefined;
    // The millisecond of the newest element passes, so that the bound leaves out all that is to come.
    await options.clock.sleep(2, options.signal);
    const { transport, clock, maxWait } = options;
    const { headers } = response;
    const gate = createRateGate({ transport, clock, maxWait, headers, most: pagesAhead });
    const send = createSendRequest(api, { ...options, transport: gate });
    return openPageWindow(pages, text.length, (address, number, signal) =>
      fetchPage(send, { ...onPage(call, address, number), signal }, address),
    );
  };
