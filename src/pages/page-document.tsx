/** The frame of every page: its head, its bar, its way back. */
import type { Child } from 'hono/jsx';
import { raw } from 'hono/html';
import { htmlOf, Prose, WindowTitle } from './elements.tsx';

export interface Crumb {
  readonly text: string;
  /** Left out for the page itself. */
  readonly href?: string | undefined;
}

/** Style sheet and script: addresses on the service, or texts that the page carries along. */
type PageAssets =
  | { readonly styleHref: string; readonly scriptHref: string; readonly iconHref: string }
  | { readonly style: string; readonly policy: string; readonly generator: string };

export interface PageDocument {
  /** Of the window. */
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly assets: PageAssets;
  /** Who looks; left out where nobody is signed in. */
  readonly user?: { readonly name: string; readonly formToken: string } | undefined;
  /** The address that tells what is new on the page (server-sent events). */
  readonly live?: string | undefined;
  readonly body: Child;
}

/** The whole page as HTML. Texts are escaped wherever they stand. */
export function pageDocument(page: PageDocument): string {
  return `<!doctype html>\n${htmlOf(<Html {...page} />)}\n`;
}

const Html = (page: PageDocument) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <WindowTitle text={page.title} />
      <Assets {...page} />
    </head>
    <body data-live={page.live}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Bar {...page} />
      <main id="content" tabindex={-1}>
        {page.body}
      </main>
    </body>
  </html>
);

const Assets = ({ assets }: PageDocument) =>
  'style' in assets ? (
    <>
      <meta http-equiv="Content-Security-Policy" content={assets.policy} />
      <meta name="generator" content={assets.generator} />
      <style>{raw(assets.style)}</style>
    </>
  ) : (
    <>
      <link rel="icon" href={assets.iconHref} />
      <link rel="stylesheet" href={assets.styleHref} />
      <script src={assets.scriptHref} defer />
    </>
  );

const Bar = ({ crumbs, user }: PageDocument) => (
  <header class="bar">
    <nav aria-label="Where you are">
      <ol class="crumbs">
        {crumbs.map(({ text, href }) => (
          <li>
            {href === undefined ? (
              <span aria-current="page">
                <Prose text={text} />
              </span>
            ) : (
              <a href={href}>
                <Prose text={text} />
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
    {user && (
      <form class="who" method="post" action="/-/sign-out">
        <span>{user.name}</span>
        <input type="hidden" name="form_token" value={user.formToken} />
        <button>Sign out</button>
      </form>
    )}
  </header>
);

/** What the parts of a page know beside what they show. */
export interface PageContext {
  /** Milliseconds since the epoch: ages and what still runs count up to it. */
  readonly now: number;
  /**
   * Where an address of the API's `web_url` leads from this page; undefined where it leads nowhere, as
   * an address that is not safe.
   */
  readonly link: (address: string | null | undefined) => string | undefined;
  /** What forms carry; undefined where nothing can be changed: in a report, or by who may not. */
  readonly formToken: string | undefined;
  /** Another value for each page: what is sent twice with the same one is done once. */
  readonly once?: string;
  /** It is read at any later time: no age is true for long. Default false. */
  readonly isFile?: boolean;
}

/**
 * The policy of a page that is a file: nothing is loaded, run or sent, whatever a browser makes of the markup. Only the
 * style that it carries counts, that of its texts included: their colours are in attributes.
 */
export const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Where an address that a service gave leads from a file: on the web, without user and password;
 * undefined for any other. `base`: what it is relative to.
 */
export function reportLink(
  address: string | null | undefined,
  base?: string | null,
): string | undefined {
  const url = parsed(address ?? '', base ?? undefined);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

const parsed = (address: string, base: string | undefined): URL | undefined =>
  address !== '' && URL.canParse(address, base) ? new URL(address, base) : undefined;
