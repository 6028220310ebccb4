import type { ArticleKind } from './article.ts';
import { type ContentBlock, linkShareOf, textOfBlock } from './content-block.ts';
import { normalizeTitle } from './page-title.ts';

/** Removes the small remains that only show once the tree is flat: share lines, dead headings, link lists. */
export function filterBlocks(
  blocks: readonly ContentBlock[],
  kind: ArticleKind,
  title: string,
): ContentBlock[] {
  let kept = blocks.filter((block) => !isJunkLine(block));
  if (kind === 'article' || kind === 'documentation') {
    kept = dropLinkSections(kept);
    kept = dropLinkLists(kept, kind);
  }
  if (kind === 'article') {
    kept = kept.filter((block) => !isLinkLine(block) && !isCreditLine(block));
    kept = dropTitle(kept, title);
    kept = dropLeadingByline(kept);
    kept = dropTail(kept);
  }
  if (kind === 'documentation') kept = kept.filter((block) => !isPagerLine(block));
  if (kind === 'forum') kept = kept.filter((block) => !isThreadTitle(block, title));
  if (kind === 'article' || kind === 'documentation') kept = dropDeadHeadings(kept);
  return kept;
}

const JUNK_LINE =
  /^(?:advert(?:isement|ising)?|anzeige|werbung|publicité|publicidad|реклама|sponsored(?: content)?|share(?: this(?: \w+)?| on \w+|:)?|teilen|partager|compartir|поделиться|tweet|pin(?: it)?|e-?mail|print|like|save|facebook|twitter|linkedin|whatsapp|reddit|google ?\+?|comments?|(?:no|\d+) comments?|reply|report|permalink|copy(?: link)?|skip to (?:main )?content|back to top|top|loading\.*|read more|mehr lesen|lire la suite|leer más|read full article|continue reading|story continues below.*|article continues (?:below|after).*|\[?edit\]?|view (?:image|gallery)|enlarge(?: image)?|click to enlarge|close|next|previous|prev|more|menu|search|subscribe|sign up|log ?in|sign in|follow(?: us)?|add to (?:cart|bag|basket|wish ?list|compare)|buy now|quick view|quantity|\d+ shares?|[|/•·,\-–—:_*.<>\s]+|ads by google|like us on facebook|(?:start|end) quote|continue reading the main story|follow .{2,40} on (?:twitter|facebook|instagram).{0,30}|get a (?:free )?quote|view all|see all|show more|load more|learn more|was this (?:page |article |section )?helpful\?.{0,12}|did this page help you\?.{0,12})$/i;

function isJunkLine(block: ContentBlock): boolean {
  if (block.kind === 'code' || block.kind === 'table' || block.kind === 'rule') return false;
  const text = textOfBlock(block).trim();
  if (text === '') return !block.spans.some((span) => span.image !== undefined);
  if (text.length < 60) return JUNK_LINE.test(text);
  return /^\s*[{[]\s*["{]/.test(text) || (text.length < 300 && RIGHTS_LINE.test(text));
}

const RIGHTS_LINE =
  /^(?:copyright\b|©|\(c\) ?\d{4})|all rights reserved\.?|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados/i;

const LINK_SECTION =
  /^(?:(?:see|read|watch|view|check out)\s+(?:also|more|next|out)|also (?:on|see|read|in)|related\b|more (?:from|on|about|in|stories|news|articles|coverage|like)\b|you (?:may|might|could) (?:also )?(?:like|enjoy|be interested)|recommended|most (?:read|popular|viewed|shared|commented)|popular\b|trending|latest\b|recent (?:posts|articles|news)|top stories|don'?t miss|up next|next up|further reading|(?:leave|post|add|write) a (?:comment|reply)|comments?\b|\d+ comments?|share this|about the author|follow us|tags?\b|filed under|categories|sponsored|around the web|from the web|in other news|previous (?:post|article)|next (?:post|article)|similar (?:posts|articles|stories)|mehr zum thema|lesen sie auch|das könnte sie auch|weitere artikel|verwandte|à lire aussi|lire aussi|sur le même sujet|articles? (?:liés|similaires)|lea también|te puede interesar|noticias relacionadas|leggi anche|potrebbe interessarti|читайте также|по теме|関連記事|相关(?:新闻|阅读|文章)|اقرأ أيضا)/i;

/** A heading that announces links, together with the links (or nothing) that follow it. */
function dropLinkSections(blocks: readonly ContentBlock[]): ContentBlock[] {
  const kept: ContentBlock[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined) continue;
    if (!isLinkSectionHeading(block)) {
      kept.push(block);
      continue;
    }
    let end = index + 1;
    while (end < blocks.length && isLinkish(blocks[end])) end += 1;
    const next = blocks[end];
    const isFollowedByLinks = end > index + 1;
    if (isFollowedByLinks || next === undefined || next.kind === 'heading') index = end - 1;
    else kept.push(block);
  }
  return kept;
}

function isLinkSectionHeading(block: ContentBlock): boolean {
  if (block.kind !== 'heading' && block.kind !== 'paragraph') return false;
  const text = textOfBlock(block).trim();
  return text.length <= 80 && LINK_SECTION.test(text);
}

function isLinkish(block: ContentBlock | undefined): boolean {
  if (block === undefined) return false;
  if (block.kind === 'rule') return true;
  if (block.kind === 'code' || block.kind === 'table') return false;
  const text = textOfBlock(block);
  return text.trim() === '' || (linkShareOf(block) > 0.6 && text.length < 300);
}

/** Runs of list items that are nothing but links: menus that escaped the tree passes. */
function dropLinkLists(blocks: readonly ContentBlock[], kind: ArticleKind): ContentBlock[] {
  if (kind === 'documentation') return [...blocks];
  const kept: ContentBlock[] = [];
  for (let index = 0; index < blocks.length; ) {
    let end = index;
    let text = 0;
    let link = 0;
    for (let block = blocks[end]; block !== undefined && block.listDepth > 0; block = blocks[end]) {
      const length = textOfBlock(block).length;
      text += length;
      link += length * linkShareOf(block);
      end += 1;
    }
    const count = end - index;
    if (count === 0) {
      const block = blocks[index];
      if (block !== undefined) kept.push(block);
      index += 1;
      continue;
    }
    const isMenu = count >= 2 && link / Math.max(1, text) > 0.8 && text / count < 120;
    if (!isMenu) kept.push(...blocks.slice(index, end));
    index = end;
  }
  return kept;
}

/** `Read also: …` and other lines that are one link. */
function isLinkLine(block: ContentBlock): boolean {
  if (block.kind !== 'paragraph' || block.listDepth > 0) return false;
  const text = textOfBlock(block).trim();
  if (text === '' || text.length > 160) return false;
  const share = linkShareOf(block);
  return share > 0.9 || (share > 0.75 && text.length < 80) || (share > 0.5 && LINK_SECTION.test(text));
}

/** Ways to the neighbouring chapters, and when this one was changed. */
function isPagerLine(block: ContentBlock): boolean {
  if (block.kind !== 'paragraph') return false;
  const text = textOfBlock(block).trim();
  if (
    text.length < 60 &&
    /^(?:last )?updated\b.{0,40}$|^last (?:updated|modified|change).{0,40}$/i.test(text)
  )
    return true;
  return text.length < 160 && linkShareOf(block) > 0.9 && /^(?:previous|prev|next|←|→|«|»|‹|›)/i.test(text);
}

/** The headline is in `title`; reference texts of article bodies do not repeat it. */
function dropTitle(blocks: readonly ContentBlock[], title: string): ContentBlock[] {
  const wanted = normalizeTitle(title);
  const start = blocks.slice(0, 6);
  let at = start.findIndex((block) => block.kind !== 'rule' && normalizeTitle(textOfBlock(block)) === wanted);
  if (at === -1) at = start.findIndex((block) => block.kind === 'heading' && block.level === 1);
  return at === -1 ? [...blocks] : blocks.filter((_, index) => index !== at);
}

/** Many boards repeat the subject above every post. */
function isThreadTitle(block: ContentBlock, title: string): boolean {
  if (block.kind !== 'heading') return false;
  return (
    normalizeTitle(textOfBlock(block).replace(/^\s*(?:re|aw|sv|antw)\s*:\s*/i, '')) === normalizeTitle(title)
  );
}

const BYLINE_LINE =
  /^(?:by|von|par|por|di|door|av|автор:?|(?:written|submitted) by|posted (?:by|on|in)|published(?: on| at)?|updated(?: on| at)?|last (?:updated|modified)|veröffentlicht|publié|publicado|aktualisiert|опубликовано|first published|date)\b.{0,90}$/i;
const DATE_LINE =
  /^(?:\w+,? )?(?:\d{1,2}[./\s-]+(?:\w{3,9}\.?|\d{1,2})[./\s,-]+\d{2,4}|\w{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{4}[-/年.]\d{1,2}[-/月.]\d{1,2}日?)(?:[\s,|·•@–-]*(?:at )?\d{1,2}[:.h]\d{2}.{0,24})?$/i;

const UPDATE_LINE =
  /\d{4}.{0,40}\d{1,2}[:h.]\d{2}|(?:last updated|mis à jour|publié le|aktualisiert|actualizado|обновлено)\b.{0,60}\d/i;
const CREDIT_LINE =
  /^[([]?\s*(?:(?:photo|image|illustration|picture|foto|fot|bild|graphic|video)s?(?:graph)?\b(?: credit| by|:|\.| courtesy).{0,80}|(?:credit|crédit|courtesy|source|getty images|shutterstock|istock|afp|reuters)s?\b[:/ ].{0,60})$/i;

/** Who took the picture, left over where a caption has no element of its own. */
function isCreditLine(block: ContentBlock): boolean {
  if (block.kind !== 'paragraph') return false;
  const text = textOfBlock(block).trim();
  return text.length < 100 && CREDIT_LINE.test(text) && !/[a-zà-ÿа-я][.!?]["”]?$/i.test(text);
}

function dropLeadingByline(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.filter((block, index) => {
    if (index > 5 || block.kind !== 'paragraph') return true;
    const text = textOfBlock(block).trim();
    if (text.length > 100 || /[.!?]$/.test(text)) return true;
    return !(BYLINE_LINE.test(text) || DATE_LINE.test(text) || UPDATE_LINE.test(text));
  });
}

const TAIL_SECTION =
  /^(?:about (?:the )?(?:author|writer)s?|(?:leave|post|add|write) a (?:comment|reply)|(?:reader )?comments?\b.{0,20}|\d+ (?:comments?|responses?|replies).{0,30}|discussion|related (?:\w+ )?(?:articles|stories|posts|news|content|links|topics)|more (?:from|on|stories|news).{0,40}|you (?:may|might) also.{0,30}|recommended.{0,30}|über den autor|über die autorin|kommentare?.{0,20}|à propos de l.auteur|commentaires?.{0,20}|sobre el autor|comentarios?.{0,20}|об авторе|комментарии.{0,20}|コメント|相关阅读|评论)\s*:?$/i;

/** Once the text is mostly over, a heading that announces the author's life or the readers' views ends it. */
function dropTail(blocks: readonly ContentBlock[]): ContentBlock[] {
  const lengths = blocks.map((block) => textOfBlock(block).length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let before = 0;
  for (const [index, block] of blocks.entries()) {
    if (before > total * 0.6 && (block.kind === 'heading' || block.kind === 'paragraph')) {
      if (TAIL_SECTION.test(textOfBlock(block).trim())) return blocks.slice(0, index);
    }
    before += lengths[index] ?? 0;
  }
  return [...blocks];
}

/** Headings with nothing beneath them before the next heading of the same rank, or the end. */
function dropDeadHeadings(blocks: readonly ContentBlock[]): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let levelBelow = 0;
  let hasContentBelow = false;
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (block === undefined) continue;
    if (block.kind !== 'heading') {
      if (block.kind !== 'rule' && block.kind !== 'caption') hasContentBelow = true;
      if (hasContentBelow || block.kind !== 'rule') kept.push(block);
      if (hasContentBelow) levelBelow = 0;
      continue;
    }
    const isDead = !hasContentBelow && (levelBelow === 0 || levelBelow <= block.level);
    if (isDead) continue;
    kept.push(block);
    levelBelow = block.level;
    hasContentBelow = false;
  }
  return kept.reverse();
}
