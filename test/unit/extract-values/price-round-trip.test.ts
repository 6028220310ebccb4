/** Whatever a locale makes of an amount, the same amount is read from it. */
import { describe, expect, it } from 'vitest';
import { readPrice } from '../../../src/engine/extract/values/read-price.ts';

const LOCALES =
  `en-US en-GB en-IN en-ZA en-CA de-DE de-CH de-AT fr-FR fr-CH fr-CA it-IT it-CH es-ES es-MX es-AR pt-BR pt-PT
  nl-NL pl-PL cs-CZ sk-SK sv-SE da-DK nb-NO fi-FI ru-RU uk-UA bg-BG sr-RS hr-HR hu-HU ro-RO el-GR tr-TR lt-LT ja-JP zh-CN
  zh-TW ko-KR vi-VN th-TH id-ID hi-IN bn-BD mr-IN ne-NP fa-IR ar-EG ar-SA ar-AE ar-TN he-IL my-MM ka-GE`
    .trim()
    .split(/\s+/);
const CURRENCIES =
  `USD EUR GBP JPY CHF SEK NOK DKK PLN CZK HUF RON BGN RSD RUB UAH TRY ILS AED SAR EGP KWD BHD TND INR PKR
  BDT THB VND IDR MYR SGD HKD TWD CNY KRW PHP AUD NZD CAD MXN CLP COP BRL ZAR NGN KES XOF ISK`
    .trim()
    .split(/\s+/);
/** Without decimals, with two and with three. */
const BY_CODE_TOO: ReadonlySet<string> = new Set(['EUR', 'JPY', 'KWD']);
const AMOUNTS =
  `0 0.5 1 1.25 9.99 12 99.95 100 123.45 999.99 1000 1234 1299.99 12345.67 100000 123456.78 1234567
  98765432.1`
    .trim()
    .split(/\s+/);

function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

describe.each(LOCALES)('money as %s writes it', (locale) => {
  it('is read back to the digit, in every currency, by sign and, of some, by code', () => {
    const wrong: string[] = [];
    for (const currency of CURRENCIES) {
      const displays = BY_CODE_TOO.has(currency) ? (['symbol', 'code'] as const) : (['symbol'] as const);
      for (const currencyDisplay of displays) {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
        const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
        for (const amount of AMOUNTS) {
          if (decimalsOf(amount) > decimals) continue;
          const text = format.format(Number(amount));
          const reading = readPrice(text, { language: locale });
          if (reading?.amount === amount && reading.currency === currency) continue;
          wrong.push(`${text} is ${amount} ${currency}, read as ${JSON.stringify(reading)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is read back from bare numbers, given the currency', () => {
    const wrong: string[] = [];
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    for (const amount of AMOUNTS) {
      const text = format.format(Number(amount));
      const reading = readPrice(text, { language: locale, currency: 'EUR' });
      if (reading?.amount !== amount) wrong.push(`${text} is ${amount}, read as ${JSON.stringify(reading)}`);
    }
    expect(wrong).toEqual([]);
  });
});
