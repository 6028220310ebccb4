/**
 * What the names that authors and content systems give to elements say about them. All patterns match against
 * `PageElement.label`: lower-case words of class and id, each surrounded by spaces.
 */

/** Site navigation and page furniture. */
export const CHROME =
  / (?:(?:top|main|sub|side|site|global|primary|secondary|mega|footer|header|mobile|page)?(?:nav|menu)(?:bar|igation|list|s)?|nav(?:i|igation|bar)?(?:wrap|container)?|breadcrumbs?|bread crumbs?|breadcrumb\w*|pagination|paginat(?:or|e)|pager|pagenavi?|page (?:links|numbers)|wp pagenavi|skip (?:to )?(?:link|links|content|nav|main)|skiplinks?|masthead|site (?:header|footer|nav\w*|branding|info)|page ?footer|(?:site|global|main)?footer\w*|foot|colophon|copyright|legal|site ?map|language (?:switcher|selector)|top ?bar|utility bar|announcement(?: bar)?|search ?(?:form|box|bar)|back ?to ?top) /;

/** Columns beside the content. */
export const SIDE =
  / (?:side ?bar\w*|aside|(?:right|left) ?(?:rail|col|column|bar|side)|rail|secondary|tertiary|widget ?area|blog ?roll|archives?|calendar) /;

export const SHARING =
  / (?:share\w*|sharing\w*|social\w*|addthis\w*|addtoany\w*|a2a|sociable|sharedaddy|jp (?:post flair|relatedposts)|shr\w*|ssba\w*|tweet ?(?:button|me)|like ?(?:button|box)|fb like|facebook ?like|follow (?:us|me)|bookmark\w*|article ?tools|story ?tools|post ?tools|tool ?bar|toolbox|print ?(?:friendly|link|button|only)|email ?(?:this|link)|email article|font ?(?:size|resiz\w*)|text ?(?:size|resiz\w*)|reactions?) /;

export const ADVERTISING =
  / (?:ads?|ad ?(?:vert|verts|vertisement|vertisements|vertising|block|box|slot|unit|container|wrap(?:per)?|banner|label|space|zone)|adv|advertis\w*|adsense|adsbygoogle|adsby\w*|dfp|gpt ad|sponsor\w*|promo\w*|commercial|taboola\w*|outbrain\w*|zergnet\w*|revcontent|mgid|criteo|native ad|paid (?:content|post)|partner ?(?:links|content|box)|affiliate\w*|house ad|mpu|leaderboard|skyscraper|medianet) /;

/** Ways on to other pages. */
export const RELATED =
  / (?:related\w*|recommend\w*|recirc\w*|more (?:stories|articles|news|posts|from|on|in|like|to|top|headlines)|read (?:more|next|also)|also (?:like|read|in|see|viewed)|most (?:read|popular|viewed|commented|shared|recent|emailed|watched)|popular(?: \w+)?|trending|top (?:stories|news|headlines|posts)|latest(?: \w+)?|recent (?:posts|articles|news|comments|stories)|you may|see also|up next|next (?:up|post|article|story|prev)|prev(?:ious)? (?:post|next|article|story)|post ?nav\w*|nav (?:next|previous|links)|teasers?|up ?sells?|cross ?sells?|further reading|similar(?: \w+)?|in ?other ?news|topics? ?(?:list|links)|headlines ?(?:list|box)|story ?links|link ?list|content ?feed|carousel|slider ?nav|trc) /;

export const COMMENTS =
  / (?:comments?(?:s? ?(?:list|section|area|wrap(?:per)?|container|thread|block|box|form|body|text|content|respond|feed|count|link|links|policy|title|holder|module))?|commentlist|commentary ?list|disqus\w*|livefyre\w*|dsq\w*|respond|reply ?(?:form|title)|talkback|pluck\w*|fb comments?|facebook comments?|user ?comments?|reader ?(?:comments?|reactions?)|discussion ?(?:section|list|thread)?|echo ?container|intense ?debate|idc ?\w*|gigya\w*|responses|trackbacks?|pingbacks?|viafoura\w*|coral\w*|spot ?im) /;

export const SIGN_UP =
  / (?:news ?letters?\w*|subscri(?:be|ption)s?\w*|sign ?(?:up|in)\w*|opt ?in\w*|mail ?chimp|mc embed signup|mailing ?list|log ?in\w*|registration|register|call ?to ?action|cta|donat(?:e|ion)\w*|membership ?\w*) /;

/** In place of the rest of an article. */
export const PAYWALL =
  / (?:pay ?wall\w*|reg ?wall\w*|meter(?:ed)? ?wall|subscribe ?wall|premium ?(?:wall|offer|box)|piano ?\w*|subscription ?(?:wall|offer|box)) /;

export const CONSENT =
  / (?:cookies? ?(?:banner|notice|bar|consent|law|policy|popup|message|info|alert|notification|warning|disclaimer|overlay|modal|wrap\w*|container|control|compliance|statement|layer|hint|box|dialog)\w*|cookie|js cookie\w*|gdpr\w*|ccpa|consent\w*|one ?trust\w*|cookiebot|didomi\w*|cmp|cc (?:window|banner|grower)|privacy ?(?:banner|notice|popup|bar)|eu ?cookie\w*|truste|qc cmp\w*|sp message\w*) /;

export const OVERLAY =
  / (?:modals?|pop ?ups?|pop ?overs?|overlays?|light ?box\w*|toasts?|tool ?tips?|dialogs?|drawers?|off ?canvas|interstitial\w*|no ?print|print ?only|notification ?bar) /;

/** Text for screen readers only, mostly of controls. */
export const UNSEEN =
  / (?:screen ?reader\w*|visually ?hidden|sr ?only|a11y ?hidden|assistive ?text|hidden ?(?:accessible|text)) /;

/** Who, when and under which label: known as metadata, not text of the article. */
export const BYLINE =
  / (?:by ?lines?|author ?(?:s|bio|box|info|card|name|meta|links?|details|description|profile|social|avatar|image)?|about (?:the )?author|writer ?(?:bio|info)?|contributors?|(?:post|entry|article|story|content|blog|news) ?(?:meta|info|infos|data|details|date|time|tags?|categor(?:y|ies)|terms|byline|labels?|author|utility)|node ?meta|submitted|posted ?(?:on|by|in)|date ?lines?|publish(?:ed)? ?(?:date|on|time)?|pub ?date|time ?stamps?|updated|last ?(?:updated|modified)|tags?(?: ?(?:list|cloud|links|s|box|wrap\w*))?|tag ?cloud|cat ?links|categories|keywords|credits?|photo ?credit|image ?credit|source ?(?:line|org)|kicker|eyebrow|reading ?time|view ?count|post ?views|ratings?|vote\w*|likes?|permalink|edit ?(?:link|section|post)|mw editsection|rubric) /;

/** Pictures and films with their captions: described by the article, not part of its text. */
export const MEDIA =
  / (?:galler(?:y|ies)\w*|photo ?galler\w*|slide ?shows?\w*|slides?|slide ?(?:container|wrap\w*|list|deck)|(?:image|photo|picture|img|pic|media|wp|video|article|story)? ?captions?(?: ?(?:text|wrap\w*|box|container))?|cutline|photo ?(?:box|info|desc\w*|text)|video ?(?:player|box|info|wrap\w*|container|module|desc\w*|list|playlist|js)|jw ?player\w*|media ?(?:player|info)|lightbox ?\w*|info ?graphic ?\w*) /;

/** Encyclopaedia and documentation furniture. */
export const REFERENCE_FURNITURE =
  / (?:nav ?box\w*|catlinks|print ?footer|site ?sub|content ?sub|jump ?(?:to ?nav|link)|mw (?:jump|indicators|empty)\w*( \w+)?|mw editsection|ambox|metadata|sister ?sites?\w*|portal ?bar|authority ?control|vector ?\w*toc\w*|toc(?:box|tree ?wrapper)?|toc ?(?:container|wrapper|mobile|desktop|list|sidebar|nav)|table ?of ?contents?|on ?this ?page|in ?page ?nav|md sidebar\w*|md ?source ?\w*|headerlinks?|header ?anchors?|heading ?anchors?|anchor ?links?|hash ?links?|permalinks?|edit ?(?:this ?)?(?:page|link|on ?github)|edit ?page ?\w*|feedback\w*|was ?this ?\w*helpful|page ?helpful|last ?updated?|copy ?(?:button|btn|code|to clipboard)|copybtn|clipboard\w*|line ?numbers?|line ?nos?|lineno\w*|gutter|rst versions|version ?(?:switcher|selector|warning)|sphinx ?sidebar\w*|prev ?next|rst footer buttons|theme doc (?:version|toc|breadcrumbs)\w*) /;

/** What surrounds the text of a forum post. */
export const POST_FURNITURE =
  / (?:author|post ?author|post ?buttons?|signature\w*|post ?profile|user ?(?:info|title|card|extras|banner)\w*|post ?(?:date|time|meta|number|head|controls|menu|signature|infos?|likes)|posthead|quick ?reply|reactions?\w*|vote\w*|js vote count|message ?(?:user|attribution\w*|footer|signature|name|meta)|avatar\w*|crawler post (?:meta|infos)|creator|post ?notice|taglist|post ?taglist|share ?\w*|online ?list|stat ?block) /;

/** Controls of category and search pages. */
export const LISTING_CONTROLS =
  / (?:filters?|filter ?\w+|facets?|facet ?\w+|refine\w*|refinements?|layered ?nav\w*|sort(?:ing|er|by)?|sort ?(?:by|bar|options|dropdown)|view ?(?:mode|switcher|options)|per ?page|compare ?(?:bar|link|list)?|quick ?view|wish ?list\w*|add ?to ?(?:cart|bag|basket|wish ?list|compare)|mini ?cart|cart ?(?:drawer|popup)?|swatch(?:es)?) /;

/** Names that promise the main text itself. */
export const CONTENT =
  / (?:(?:article|story|post|entry|blog|news|page|main|body|single|content|text|detail|markdown|rich ?text|prose)(?: ?(?:main|inner))? ?(?:body|content|text|copy|story|area|column|inner|entry|detail|wrapper|container)s?|articlebody|storybody|postbody|articletext|storytext|bodytext|maintext|body ?copy|articolo|artikel\w*|hentry|h entry|e content|post|entry|article|story|markdown body|mw parser output|rst content|theme doc markdown|md content|available content|prose|rich ?text|rte|wysiwyg|text ?content|copy|zn body text|caas body|rich text) /;

/** The sentence or two between headline and text. */
export const STANDFIRST =
  / (?:stand ?first|dek|deck|lede|article ?(?:lead|intro|summary|subtitle|description|dek)|story ?(?:summary|dek|intro)|entry ?subtitle|post ?subtitle|subtitle|sub ?headline|vorspann|chapo|entradilla|sommario) /;

/** Boxes inside documentation and articles that belong to the text although set apart. */
export const ADMONITION =
  / (?:admonition\w*|note|notes|warning|tip|tips|caution|important|danger|info ?box?|hint|callout\w*|alert|notice|example|fact ?box|key ?points?|take ?aways?|summary|sidenote|pull ?quote|definition) /;
