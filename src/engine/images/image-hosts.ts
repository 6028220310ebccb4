/**
 * The other hosts that images of a domain's pages are taken from. Each becomes a domain of its own, so a page that names
 * a hundred thousand of them must not make as many: so many of one page, and so many while a worker is at the domain.
 */

/** A shop has one or two; what is shown from everywhere else is seldom its own. */
export const MOST_HOSTS_OF_PAGE = 5;
/** Of all pages that are read in one turn at a domain. */
export const MOST_HOSTS_OF_DOMAIN = 100;

export class ImageHosts {
  readonly #hosts = new Set<string>();
  readonly #limit: number;
  readonly #around: ImageHosts | undefined;

  /** What is admitted here must be admitted by `around`, too. */
  constructor(limit: number, around?: ImageHosts) {
    this.#limit = limit;
    this.#around = around;
  }

  /** A host that was admitted once is admitted again. */
  admits(host: string): boolean {
    if (this.#hosts.has(host)) return true;
    if (this.#hosts.size >= this.#limit || this.#around?.admits(host) === false) return false;
    this.#hosts.add(host);
    return true;
  }
}
