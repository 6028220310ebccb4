/** How many there are of something, reviews above all. */
import { exactPrice } from '../../products/exact-price.ts';
import { foldText } from './fold-text.ts';
import { type NumberFound, scanNumbers } from './scan-numbers.ts';
import { settleNumber } from './settle-number.ts';

const MOST_CHARACTERS = 200;
/** What the database keeps. */
const MOST = 2_147_483_647;
const REVIEWS =
  /^\s?\+?\s?(?:global |customer |verified |kunden|product )?(?:reviews?|ratings?|votes?|opinions?|comments?|bewertung|rezension|meinung|stimmen|avis|évaluations?|notes?|commentaires?|opinion|reseñas?|valoraci|calificaci|comentarios?|recensioni|recensione|valutazioni|giudizi|avaliaç|classifica|beoordeling|recensies?|ocen|opini|recenzj|hodnocen|recenz|recensioner|omdömen|betyg|anmeldelse|vurdering|omtaler|arvostelu|arvio|отзыв|оцен|відгук|оцін|yorum|değerlendirme|oy|értékel|vélemény|recenzii|evaluări|κριτικ|αξιολογ|отзив|レビュー|件|个?评|則評|條評|则评|리뷰|개|تقييم|مراجعة|ביקורות|đánh giá|ulasan|penilaian|รีวิว)/iu;
const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^ ?(?:k|тыс\.?|тис\.?|tys\.?|tis\.?|tsd\.?|mila|mil|千|천|rb|bin|ezer|tn|t\.)(?!\p{L}(?<![千천]))/iu, 3],
  [/^ ?(?:万|萬|만)/u, 4],
  [/^ ?(?:m|mio\.?|млн\.?|mln\.?|mi)(?!\p{L})/iu, 6],
];

/** Undefined: no whole number is told, or one that is out of all proportion. */
export function readCount(text: string | number): number | undefined {
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  const folded = foldText(String(text).slice(0, MOST_CHARACTERS));
  const numbers = scanNumbers(folded).filter((number) => folded.charAt(number.start - 1) !== '-');
  const own =
    numbers.find((number) => REVIEWS.test(behind(folded, number))) ??
    numbers.find((number) => folded.charAt(number.start - 1) === '(') ??
    numbers.find((number) => countOf(folded, number) !== undefined);
  return own === undefined ? undefined : countOf(folded, own);
}

function countOf(text: string, number: NumberFound): number | undefined {
  const amount = settleNumber(number, {})?.amount;
  if (amount === undefined) return undefined;
  const factor = FACTORS.find(([pattern]) => pattern.test(behind(text, number)))?.[1] ?? 0;
  const count = exactPrice(`${amount}e${factor}`);
  if (count === undefined || count.includes('.')) return undefined;
  return Number(count) <= MOST ? Number(count) : undefined;
}

function behind(text: string, number: NumberFound): string {
  return text.slice(number.end, number.end + 30);
}
