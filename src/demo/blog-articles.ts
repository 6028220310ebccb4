import type { Author, Tag } from './blog-words.ts';
import { AUTHORS, BLOG_GRAMMAR, TAGS } from './blog-words.ts';
import { composeParagraph, composeSentence, makeSlug } from './grammar.ts';
import { createRandom } from './random.ts';

export interface Article {
  /** /2024/05/on-mending-a-sleeve */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly publishedAt: Date;
  /** 2024-05 */
  readonly month: string;
  readonly author: Author;
  readonly tags: readonly Tag[];
  readonly sections: readonly Section[];
  readonly comments: readonly Comment[];
}

export interface Section {
  readonly heading: string | undefined;
  readonly paragraphs: readonly string[];
}

export interface Comment {
  readonly author: string;
  readonly text: string;
}

const FIRST_ARTICLE_ON = Date.UTC(2023, 8, 3, 7, 30);
const DAY_MS = 86_400_000;
const READERS = ['Bertil', 'A. Reader', 'Josephine K.', 'the lodger', 'Ines', 'Old Tom', 'Wilhelmina'];

/** Writes `count` articles about nine days apart, newest first. */
export function writeArticles(count: number): Article[] {
  const takenTitles = new Set<string>();
  const articles: Article[] = [];
  for (let index = 0; articles.length < count; index += 1) {
    const article = writeArticle(index, FIRST_ARTICLE_ON + articles.length * 9 * DAY_MS);
    if (takenTitles.has(article.title)) continue;
    takenTitles.add(article.title);
    articles.push(article);
  }
  return articles.reverse();
}

function writeArticle(index: number, nearMs: number): Article {
  const random = createRandom(`article:${index}`);
  const title = composeSentence(BLOG_GRAMMAR, 'title', random);
  const publishedAt = new Date(nearMs + random.between(0, 5) * DAY_MS + random.between(0, 600) * 60_000);
  const month = publishedAt.toISOString().slice(0, 7);
  const sections = Array.from({ length: random.between(2, 4) }, (_, sectionIndex) => ({
    heading: sectionIndex === 0 ? undefined : composeSentence(BLOG_GRAMMAR, 'heading', random),
    paragraphs: Array.from({ length: random.between(2, 3) }, () =>
      composeParagraph(BLOG_GRAMMAR, 'sentence', random, random.between(3, 5)),
    ),
  }));
  return {
    path: `/${month.replace('-', '/')}/${makeSlug(title)}`,
    title,
    summary: composeSentence(BLOG_GRAMMAR, 'sentence', random),
    publishedAt,
    month,
    author: random.pick(AUTHORS),
    tags: random.pickSome(TAGS, random.between(1, 3)),
    sections,
    comments: Array.from({ length: random.between(0, 4) }, () => ({
      author: random.pick(READERS),
      text: composeSentence(BLOG_GRAMMAR, 'comment', random),
    })),
  };
}
