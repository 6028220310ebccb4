/** Currencies: the codes of ISO 4217 with their decimals, and which one is paid with where. */

/** In use, or in use until lately: old pages still name the latter. */
const CODES = `
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ
GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL
LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN
PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD
TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG ZWL
ATS BEF BYR CYP DEM EEK ESP FIM FRF GRD IEP ITL LTL LUF LVL MTL NLG PTE ROL RUR SIT SKK TRL VEF`
  .trim()
  .split(/\s+/);

const CODE_SET: ReadonlySet<string> = new Set(CODES);
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const WITH_FOUR: ReadonlySet<string> = new Set(['CLF', 'UYW']);
/** Their hundredths are on paper only: what stands behind a separator in threes is thousands. */
const WHOLE_IN_PRACTICE: ReadonlySet<string> = new Set('COP HUF IDR IQD IRR LAK LBP MMK UZS'.split(' '));

/** By ISO 3166; where another is accepted too, the one that prices are written in. */
const BY_COUNTRY: Readonly<Record<string, string>> = {
  EUR: 'AD AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK BG',
  USD: 'US AS EC GU PA PR SV TL VG VI',
  AUD: 'AU KI NR TV',
  GBP: 'GB UK GG IM JE',
  NZD: 'NZ CK NU',
  CHF: 'CH LI',
  NOK: 'NO SJ',
  DKK: 'DK FO GL',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XPF: 'NC PF WF',
  XCD: 'AG AI DM GD KN LC VC',
  ...Object.fromEntries(
    `AED:AE AFN:AF ALL:AL AMD:AM AOA:AO ARS:AR AZN:AZ BAM:BA BBD:BB BDT:BD BHD:BH BIF:BI BMD:BM BND:BN BOB:BO BRL:BR
     BSD:BS BTN:BT BWP:BW BYN:BY BZD:BZ CAD:CA CDF:CD CLP:CL CNY:CN COP:CO CRC:CR CUP:CU CVE:CV CZK:CZ DJF:DJ DOP:DO
     DZD:DZ EGP:EG ERN:ER ETB:ET FJD:FJ FKP:FK GEL:GE GHS:GH GIP:GI GMD:GM GNF:GN GTQ:GT GYD:GY HKD:HK HNL:HN HTG:HT
     HUF:HU IDR:ID ILS:IL INR:IN IQD:IQ IRR:IR ISK:IS JMD:JM JOD:JO JPY:JP KES:KE KGS:KG KHR:KH KMF:KM KPW:KP KRW:KR
     KWD:KW KYD:KY KZT:KZ LAK:LA LBP:LB LKR:LK LRD:LR LSL:LS LYD:LY MAD:MA MDL:MD MGA:MG MKD:MK MMK:MM MNT:MN MOP:MO
     MRU:MR MUR:MU MVR:MV MWK:MW MXN:MX MYR:MY MZN:MZ NAD:NA NGN:NG NIO:NI NPR:NP OMR:OM PEN:PE PGK:PG PHP:PH PKR:PK
     PLN:PL PYG:PY QAR:QA RON:RO RSD:RS RUB:RU RWF:RW SAR:SA SBD:SB SCR:SC SDG:SD SEK:SE SGD:SG SLE:SL SOS:SO SRD:SR
     SSP:SS STN:ST SYP:SY SZL:SZ THB:TH TJS:TJ TMT:TM TND:TN TOP:TO TRY:TR TTD:TT TWD:TW TZS:TZ UAH:UA UGX:UG UYU:UY
     UZS:UZ VES:VE VND:VN VUV:VU WST:WS YER:YE ZAR:ZA ZMW:ZM ZWG:ZW`
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(':')),
  ),
};

const COUNTRY_CURRENCY: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_COUNTRY).flatMap(([code, countries]) =>
    countries.split(' ').map((country): [string, string] => [country, code]),
  ),
);

export const CURRENCY_CODES: readonly string[] = CODES;

export function isCurrencyCode(text: string): boolean {
  return CODE_SET.has(text);
}

/** How many digits stand behind the decimal point; two for what is not known. */
export function minorUnits(code: string): number {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  if (WITH_THREE.has(code)) return 3;
  return WITH_FOUR.has(code) ? 4 : 2;
}

/** Whether prices in it have no decimals, by the standard or by custom. */
export function isWholeCurrency(code: string): boolean {
  return WITHOUT_DECIMALS.has(code) || WHOLE_IN_PRACTICE.has(code);
}

/** What is paid with in a country (ISO 3166, any case). */
export function currencyOfCountry(country: string): string | undefined {
  return COUNTRY_CURRENCY.get(country.toUpperCase());
}
