/** What a language tag says about numbers and money. Tags come from pages: any text, any number of different ones. */

interface Customs {
  readonly region: string | undefined;
  readonly decimalSeparator: '.' | ',' | undefined;
}

const MOST_KEPT = 200;
const MOST_CHARACTERS = 35;
const UNKNOWN: Customs = { region: undefined, decimalSeparator: undefined };
const known = new Map<string, Customs>();

/** The tag's region, or the one where most of those who speak the language live. */
export function regionOfLanguage(tag: string): string | undefined {
  return customsOf(tag).region;
}

export function decimalSeparatorOf(tag: string): '.' | ',' | undefined {
  return customsOf(tag).decimalSeparator;
}

function customsOf(tag: string): Customs {
  if (tag.length > MOST_CHARACTERS) return UNKNOWN;
  let customs = known.get(tag);
  if (customs === undefined) {
    customs = readCustoms(tag);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(tag, customs);
  }
  return customs;
}

function readCustoms(tag: string): Customs {
  try {
    const locale = new Intl.Locale(tag.replaceAll('_', '-'));
    // Some write money otherwise than other numbers.
    const style = { style: 'currency', currency: 'USD', numberingSystem: 'latn' } as const;
    const parts = new Intl.NumberFormat(locale, style).formatToParts(1.5);
    const mark = parts.find((part) => part.type === 'decimal')?.value;
    return {
      region: locale.maximize().region,
      decimalSeparator: mark === ',' || mark === '.' ? mark : undefined,
    };
  } catch {
    return UNKNOWN;
  }
}
