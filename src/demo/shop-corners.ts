import type { Routes } from './demo-site.ts';
import { redirectTo, replyWithHtml, replyWithTrouble } from './demo-site.ts';
import { makeSlug } from './grammar.ts';
import type { Frame } from './html.ts';
import { escapeHtml, renderPage, renderParagraphs } from './html.ts';
import { hashText } from './random.ts';
import type { Shop } from './shop-pages.ts';
import type { ShopPlan } from './shop-plan.ts';

const HELP: ReadonlyArray<readonly [title: string, text: string]> = [
  [
    'Delivery',
    'The van goes out on Tuesdays and Fridays. Small things travel by bicycle, and get there first.',
  ],
  ['Returns', 'Bring it back within sixty days, in any mood. We keep the kettle on for difficult cases.'],
  ['Repairs', 'If it had screws, it can be opened; if it can be opened, we will have a look at it.'],
  ['Gift wrapping', 'Brown paper, string, and a bow tied by whoever has the steadiest hands that day.'],
];

const SLOW_PAGE_MS = 1200;

export function createShopFrame(plan: ShopPlan): Frame {
  return {
    siteName: plan.name,
    tagline: plan.tagline,
    language: plan.language,
    head: '',
    navigation: [
      ...plan.categories.map(({ title }) => ({ href: `/c/${makeSlug(title)}/`, text: title })),
      { href: '/about', text: 'About us' },
      { href: '/help', text: 'Help' },
    ],
    footer: `<p>${escapeHtml(plan.name)}, a shop that does not exist, for crawlers that do.
<a href="/about-us">Who we are</a> · <a href="/old-shop">The old shop</a> · <a href="/today">Find of the day</a> ·
<a href="/clearance">Clearance</a> · <a href="/warehouse">The warehouse</a> · <a href="/catalogue.pdf">Catalogue (PDF)</a> ·
<a href="/discontinued">Discontinued</a> · <a href="/ladder-to-the-moon">Ladder to the moon</a> ·
<a href="/account/">Your account</a> · <a href="/account/gift-cards">Gift cards</a> · <a href="/thank-you">Thank you</a></p>`,
  };
}

/** The corners where crawlers stub their toes: copies, redirects, gone, slow and busy pages, session ids. */
export function addShopCorners(routes: Routes, shop: Shop): void {
  const { frame, plan } = shop;
  const plainPage = (title: string, main: string, robots?: string): string =>
    renderPage(frame, {
      title,
      description: `${title} at ${plan.name}`,
      main: `<h1>${escapeHtml(title)}</h1>\n${main}`,
      ...(robots === undefined ? {} : { robots }),
    });

  // The same bytes under two addresses, and nothing in them that says which is the real one.
  const about = plainPage('About us', renderParagraphs(plan.aboutParagraphs));
  routes.set('/about', () => replyWithHtml(about));
  routes.set('/about-us', () => replyWithHtml(about));

  routes.set('/old-shop', () => redirectTo('/about', 301));
  routes.set('/today', () => redirectTo(`/p/${shop.shelves[0]?.products[2]?.slug ?? ''}`, 302));
  routes.set('/discontinued', () =>
    replyWithTrouble(410, plainPage('Gone for good', '<p>We stopped selling these. We miss them too.</p>')),
  );
  routes.set('/thank-you', () =>
    replyWithHtml(plainPage('Thank you', '<p>Your parcel is being wrapped.</p>', 'noindex, nofollow')),
  );
  routes.set('/warehouse', () => ({
    ...replyWithHtml(plainPage('The warehouse', '<p>It is a long walk to the back, hence the wait.</p>')),
    dawdleMs: SLOW_PAGE_MS,
  }));

  let clearanceVisits = 0;
  routes.set('/clearance', () => {
    clearanceVisits += 1;
    if (clearanceVisits === 1) {
      const busy = plainPage('One moment', '<p>Too many people in the shop. Try again in a second.</p>');
      return replyWithTrouble(503, busy, { 'retry-after': '1' });
    }
    return replyWithHtml(plainPage('Clearance', '<p>Odd lids, single gloves, and a globe of 1911.</p>'));
  });

  // Robots are asked to stay out of these; people who come here find nothing secret.
  routes.set('/basket', () =>
    replyWithHtml(plainPage('Your basket', '<p>It is empty, and rather light.</p>')),
  );
  routes.set('/account/', () =>
    replyWithHtml(
      plainPage('Your account', '<p><a href="/account/orders">Your orders</a>: none that we know of.</p>'),
    ),
  );
  routes.set('/account/orders', () => replyWithHtml(plainPage('Your orders', '<p>None so far.</p>')));
  routes.set('/account/gift-cards', () =>
    replyWithHtml(plainPage('Gift cards', '<p>Printed on thick paper, good for ever.</p>')),
  );
  addHelpDesk(routes, plainPage);
}

/**
 * The help desk runs on old software: whoever arrives without a session gets one written into every link,
 * so each way in yields the same few pages under addresses of their own.
 */
function addHelpDesk(routes: Routes, plainPage: (title: string, main: string) => string): void {
  const topics = HELP.map(([title, text]) => ({ title, text, path: `/help/${makeSlug(title)}` }));
  const linkTopics = (session: string): string =>
    topics
      .map(({ title, path }) => `<li><a href="${path}?PHPSESSID=${session}">${title}</a></li>`)
      .join('\n');
  const takeSession = (path: string, query: URLSearchParams): string =>
    query.get('PHPSESSID') ?? hashText(path).toString(16).padStart(8, '0').repeat(4);

  routes.set('/help', ({ path, query }) =>
    replyWithHtml(plainPage('Help', `<ul>${linkTopics(takeSession(path, query))}</ul>`)),
  );
  for (const topic of topics) {
    routes.set(topic.path, ({ path, query }) =>
      replyWithHtml(
        plainPage(topic.title, `<p>${topic.text}</p>\n<ul>${linkTopics(takeSession(path, query))}</ul>`),
      ),
    );
  }
}
