/** Claim and commit on a small database and on a large one, in one run of one server. */
import { benchClaim } from './claim.mjs';
import { benchCommit } from './commit.mjs';
import { prepareDataDir, removeDataDir } from './forager.mjs';
import { populate } from './population.mjs';

const SMALL = { name: 'small', domains: 1000, urls: 10_000 };

export async function benchGrowth(options, say) {
  const sizes = [SMALL, { name: 'large', domains: options.claimDomains, urls: options.claimUrls }];
  const dataDir = await prepareDataDir();
  try {
    await populate(dataDir, sizes, say);
    const claim = { sizes, ...(await benchClaim(dataDir, sizes, options, say)) };
    const commit = { sizes, ...(await benchCommit(dataDir, sizes, options, say)) };
    return { claim, commit };
  } finally {
    await removeDataDir(dataDir);
  }
}
