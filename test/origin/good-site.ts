import { htmlPage, type SiteDefinition, type SitePages } from './site.ts';

export interface GoodSiteOptions {
  readonly pages: number;
  readonly linksPerPage: number;
  /** Roughly how much text each page carries. */
  readonly textBytes?: number;
  readonly robots?: string;
}

export const goodSitePath = (index: number): string => (index === 0 ? '/' : `/page/${index}`);

/**
 * A normal static site in which every page can be reached from `/`: page n links to its children in a tree
 * of that width, and to pages already linked elsewhere for the rest.
 */
export function goodSite(options: GoodSiteOptions): SiteDefinition {
  const { pages, linksPerPage, textBytes = 500 } = options;
  const definitions: SitePages = {};
  for (let index = 0; index < pages; index++) {
    const links = new Set<number>();
    // Half the links go down the tree, which is what makes every page reachable.
    const children = Math.max(1, Math.ceil(linksPerPage / 2));
    for (let child = 1; child <= children; child++) {
      const target = index * children + child;
      if (target < pages) links.add(target);
    }
    for (let step = 1; links.size < Math.min(linksPerPage, pages); step++) links.add((index + step) % pages);
    const sentence = `Page ${index} says something of its own about subject ${index % 17}. `;
    const text = sentence.repeat(Math.ceil(textBytes / sentence.length));
    definitions[goodSitePath(index)] = htmlPage(`Page ${index}`, [...links].map(goodSitePath), text);
  }
  return { pages: definitions, ...(options.robots === undefined ? {} : { robots: options.robots }) };
}
