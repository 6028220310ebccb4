/**
 * Query parameters that say how a visitor arrived, never what is shown. They are dropped from the key under
 * which a URL is deduplicated; the URL that is requested keeps them.
 *
 * The bar for this table: a name whose removal could merge two different pages does more harm (a page is lost)
 * than a name that is missing (a page is fetched twice). Hence no `id`-like or everyday words (`campaign`,
 * `cid`, `si`, `from`), however often trackers use them. `ref` and `source` are the exception: the product's
 * rules name them.
 */

/** Urchin and Google Analytics, Matomo under its three names, HubSpot's ads and visitor ids. */
const TRACKING_PREFIX = /^(?:utm_|mtm_|matomo_|piwik_|hsa_|__hs)/;

/** Lower case: names are compared without regard to case. */
export const TRACKING_PARAMETERS: ReadonlySet<string> = new Set([
  // Referrer labels
  'ref',
  'ref_',
  'ref_src',
  'ref_url',
  'source',
  // Google
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'gad_source',
  'gad_campaignid',
  'srsltid',
  '_ga',
  '_gl',
  '_gac',
  'ga_source',
  'ga_medium',
  'ga_term',
  'ga_content',
  'ga_campaign',
  'ga_place',
  // Meta
  'fbclid',
  'fb_action_ids',
  'fb_action_types',
  'fb_ref',
  'fb_source',
  'igshid',
  'igsh',
  // Microsoft, Yandex, other advertising networks
  'msclkid',
  'yclid',
  'ymclid',
  'ysclid',
  '_openstat',
  'twclid',
  'ttclid',
  'li_fat_id',
  'rdt_cid',
  'epik',
  'irclickid',
  'awclid',
  'wickedid',
  'tblci',
  'dicbo',
  's_kwcid',
  'ef_id',
  // Mailings and marketing automation
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  '_hsenc',
  '_hsmi',
  'hsctatracking',
  '_kx',
  'vero_id',
  'vero_conv',
  'oly_anon_id',
  'oly_enc_id',
  'ml_subscriber',
  'ml_subscriber_hash',
  'rb_clickid',
  'guce_referrer',
  'guce_referrer_sig',
  'guccounter',
  // Matomo's older names, Alibaba's position code
  'pk_campaign',
  'pk_cid',
  'pk_content',
  'pk_keyword',
  'pk_kwd',
  'pk_medium',
  'pk_source',
  'spm',
]);

export function isTrackingParameter(name: string): boolean {
  const lowerName = name.toLowerCase();
  return TRACKING_PARAMETERS.has(lowerName) || TRACKING_PREFIX.test(lowerName);
}
