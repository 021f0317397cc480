import type { Child } from 'hono/jsx';
import { raw } from 'hono/html';
import { htmlOf, Prose, WindowTitle } from './elements.tsx';

export interface Crumb {
  readonly text: string;
  /** Omitted for the current page */
  readonly href?: string | undefined;
}

/** URLs on the service, or inline content for pages that are saved as files. */
type PageAssets =
  | { readonly styleHref: string; readonly scriptHref: string; readonly iconHref: string }
  | { readonly style: string; readonly policy: string; readonly generator: string };

export interface PageDocument {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly assets: PageAssets;
  /** Omitted if no user is signed in. */
  readonly user?: { readonly name: string; readonly formToken: string } | undefined;
  /** URL of the event stream that updates the page. */
  readonly live?: string | undefined;
  readonly body: Child;
}

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
        Skip to content
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
    <nav aria-label="Breadcrumb">
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

/** Used by all parts of a page. */
export interface PageContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns the link for an API `web_url`, or undefined if it is unsafe or has no page */
  readonly link: (address: string | null | undefined) => string | undefined;
  /** Undefined if the page cannot change anything: in reports, or for users without permission */
  readonly formToken: string | undefined;
  /** A value unique to each page. A form that is sent twice with the same value is handled once */
  readonly once?: string;
  /** Set for pages saved as files, which may be read much later. Defaults to false. */
  readonly isFile?: boolean;
}

/** Content security policy for a page in a file. The page cannot load, run or send anything. */
export const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The link that a saved file uses for a URL from a service: only HTTP(S), without credentials. */
export function reportLink(
  address: string | null | undefined,
  base?: string | null,
): string | undefined {
  if (!address || !URL.canParse(address, base ?? undefined)) return undefined;
  const url = new URL(address, base ?? undefined);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}
