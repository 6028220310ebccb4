/**
 * How currencies are written: signs, abbreviations and words. Several share a sign; the first of its list is meant
 * unless something else is known, and "?" at the head of a list says that without that it is not known which.
 */

/** Found in any case of letters. */
const SIGNS: Readonly<Record<string, string>> = {
  EUR: '€ euro euros eur. ευρώ ευρω евро eurot euroa eurų eiro',
  'USD AUD CAD NZD SGD HKD TWD MXN ARS CLP COP UYU DOP BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD CUP':
    '$ ＄ ﹩ dollar dollars',
  USD: 'US$ US_$ $US $_US щ.д. US-$ U$S U$D dólares dolares долл долл. доларів',
  AUD: 'A$ AU$ AU_$ $AU $_AU',
  'CAD NIO': 'C$',
  CAD: 'CA$ CA_$ CDN$ CAN$ $CA $_CA $CAN',
  NZD: 'NZ$ NZ_$ $NZ $_NZ',
  HKD: 'HK$ HK_$ $HK $_HK 港幣 港币 港元',
  BRL: 'R$ BR$ reais',
  SGD: 'S$ SG$ SG_$ $SG $_SG',
  TWD: 'NT$ NTD 台幣 新台幣 新臺幣',
  MXN: 'MX$ MX_$ MEX$ $MX',
  ARS: 'AR$ $AR',
  CLP: 'CL$ CLP$ $CL',
  COP: 'CO$ COL$ $CO',
  UYU: '$U UY$',
  JMD: 'J$',
  BBD: 'BDS$',
  BZD: 'BZ$',
  DOP: 'RD$',
  TTD: 'TT$',
  NAD: 'N$',
  XCD: 'EC$',
  BND: 'B$ BN$',
  FJD: 'FJ$',
  GYD: 'G$ GY$',
  MOP: 'MOP$',
  CVE: 'CV$',
  '? MXN ARS CLP COP UYU DOP CUP PHP': 'pesos peso',
  'GBP EGP LBP SYP FKP GIP SHP': '£ ￡',
  GBP: '₤ GB£ £GB UK£ £UK',
  EGP: 'E£ EG£ L.E. ج.م ج.م. جنيه',
  LBP: 'L£ LB£ ل.ل ل.ل.',
  'JPY CNY': '¥ ￥',
  JPY: '円 yen JP¥',
  CNY: 'CN¥ ¥CN RMB 人民币 人民幣 圆 yuan',
  'CNY TWD HKD': '元 圓',
  'KRW KPW': '₩ ￦',
  KRW: '원 won',
  VND: '₫ VNĐ đồng vnd.',
  THB: '฿ บาท baht',
  KHR: '៛',
  LAK: '₭',
  'PHP CUP': '₱',
  PHP: 'php.',
  'INR PKR LKR NPR MUR SCR': 'Rs Rs. ₨',
  INR: '₹ र inr.',
  'NPR INR': 'रु रु. रू रू.',
  LKR: 'රු රු.',
  BDT: '৳ Tk Tk. টাকা',
  MNT: '₮',
  KZT: '₸ тг тг. тенге тңг тңг.',
  UZS: "so'm сум сўм",
  KGS: 'сом',
  GEL: '₾ ლარი',
  AMD: '֏ դր դր. դրամ',
  AZN: '₼',
  UAH: '₴ грн грн. гривень гривен гривні гривня',
  'RUB BYN': 'руб руб. рубль рубля рублей rub.',
  RUB: '₽ руб.РФ',
  BYN: 'бел.руб. бел.руб б.р. byn.',
  BGN: 'лв лв. lv lv. лева',
  MKD: 'ден ден. денари',
  RSD: 'din din. дин дин. dinara динара',
  ALL: 'lek lekë',
  'RON MDL': 'lei lei. leu лей',
  PLN: 'zł zł. zl złoty złotych zlotych',
  CZK: 'Kč Kč. korun',
  HUF: 'forint',
  HRK: 'kn kuna',
  'CHF XOF XAF': 'Fr Fr.',
  CHF: 'SFr SFr. CHF. franken',
  '? SEK NOK DKK ISK EEK': 'kr kr.',
  SEK: 'kronor skr sek.',
  'NOK DKK': 'kroner',
  NOK: 'Nkr',
  DKK: 'Dkr',
  ISK: 'krónur ikr',
  TRY: '₺ TL TL. YTL lira',
  ILS: '₪ NIS ש"ח שח ש״ח',
  'AED MAD': 'Dhs Dhs. Dh Dh. DHS درهم',
  AED: 'د.إ د.إ. د.ا',
  MAD: 'د.م د.م.',
  'SAR IRR YER QAR OMR': '﷼',
  IRR: 'ریال ر.إ ر.إ.',
  'SAR QAR OMR YER': 'ريال',
  SAR: 'ر.س ر.س. ⃁',
  QAR: 'ر.ق ر.ق.',
  OMR: 'ر.ع ر.ع. R.O.',
  YER: 'ر.ي ر.ي.',
  KWD: 'د.ك د.ك. K.D.',
  BHD: 'د.ب د.ب. B.D.',
  JOD: 'د.أ د.أ.',
  IQD: 'د.ع د.ع.',
  LYD: 'د.ل د.ل.',
  TND: 'د.ت د.ت.',
  DZD: 'د.ج د.ج.',
  'RSD KWD BHD JOD IQD LYD TND DZD': 'dinar dinars دينار',
  '?': 'تومان toman ₿ ₶ ¤',
  AFN: '؋',
  NGN: '₦',
  GHS: '₵ GH₵ GHC GH¢ cedis',
  KES: 'KSh KSh. Kshs Kshs.',
  TZS: 'TSh TSh. TShs',
  UGX: 'USh USh. UShs',
  'XOF XAF': 'FCFA CFA',
  XOF: 'F_CFA',
  XPF: 'CFPF',
  MYR: 'ringgit',
  IDR: 'Rp Rp. rupiah',
  PEN: 'S/ S/.',
  PYG: '₲ Gs Gs.',
  CRC: '₡',
  PAB: 'B/. B/',
  '? VES BOB': 'Bs Bs.',
  ITL: 'lire',
  ESP: '₧ pesetas ptas',
  FRF: '₣',
  DEM: '₰',
  GRD: '₯',
};

/** Of one or two letters: found as they are written here and in no other case, or half of all words would be money. */
const EXACT_SIGNS: Readonly<Record<string, string>> = {
  HUF: 'Ft Ft.',
  VND: 'đ Đ ₫.',
  'RUB BYN': 'р р. Р Р.',
  'BYN ETB': 'Br Br.',
  ZAR: 'R',
  MYR: 'RM',
  BAM: 'KM КМ',
  GTQ: 'Q',
  AOA: 'Kz',
  MZN: 'MT MTn',
  MGA: 'Ar',
  EGP: 'LE',
  SAR: 'SR SR.',
  QAR: 'QR QR.',
  KWD: 'KD',
  BHD: 'BD',
  JOD: 'JD',
  TND: 'DT',
  DZD: 'DA',
};

/** Signs that stand on one side only. */
export const ONLY_BEFORE: ReadonlySet<string> = new Set(['R', 'Q', 'S/', 'S/.', 'B/', 'B/.', 'L£']);
export const ONLY_AFTER: ReadonlySet<string> = new Set([
  ...['р', 'р.', 'Р', 'Р.', 'đ', 'Đ', 'Ft', 'Ft.', 'Br.', 'MT', 'Ar', 'KM', 'won', 'DA', 'DT'],
]);

/** Codes that are words as well, and count only in capitals. */
export const WORDS_TOO: ReadonlySet<string> = new Set(
  'all top try cup mad sos gel pen bam mop cop lak mur ang rub lei all bif bob eek esp fim kes mga sit tops'.split(
    ' ',
  ),
);

export interface Sign {
  /** Candidates, the likeliest first; empty: known to be money, but of no code. */
  readonly codes: readonly string[];
  /** Whether the first is meant where nothing else is known. */
  readonly hasDefault: boolean;
}

export const FOLDED_SIGNS: ReadonlyMap<string, Sign> = collect(SIGNS, (sign) => sign.toLowerCase());
export const CASED_SIGNS: ReadonlyMap<string, Sign> = collect(EXACT_SIGNS, (sign) => sign);

function collect(
  table: Readonly<Record<string, string>>,
  fold: (sign: string) => string,
): ReadonlyMap<string, Sign> {
  const signs = new Map<string, Sign>();
  for (const [key, written] of Object.entries(table)) {
    const codes = key.split(' ');
    const hasDefault = codes[0] !== '?';
    const sign = { codes: hasDefault ? codes : codes.slice(1), hasDefault };
    for (const text of written.split(' ')) signs.set(fold(text).replace('_', ' '), sign);
  }
  return signs;
}
