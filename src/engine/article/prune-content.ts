import { linkDensity, measureOf, type TextMeasures } from './measure-text.ts';
import { findAncestor, type PageElement, type PageTree } from './page-tree.ts';

const BOXES = new Set('div section ul ol table tbody tr td dl aside form center article details'.split(' '));

/**
 * Removes boxes inside the chosen element that consist of links with little text of their own: teasers of
 * other articles, menus within the text. Tables of data and lists of sources in running text stay.
 */
export function pruneContent(tree: PageTree, chosen: PageElement, measures: TextMeasures): void {
  const total = measureOf(measures, chosen);
  for (const element of tree.elements) {
    if (element.removed) continue;
    if (element.parent?.removed) {
      element.removed = true;
      continue;
    }
    if (!BOXES.has(element.name) || element === chosen) continue;
    const measure = measureOf(measures, element);
    if (measure.links === 0 || measure.text > total.text * 0.3 || measure.prose > total.prose * 0.25)
      continue;
    const density = linkDensity(measure);
    const isTeaser = density > 0.3 && measure.prose < measure.text * 0.45 && measure.links >= 2;
    if (!isTeaser && density <= 0.7) continue;
    if (findAncestor(element, (above) => above === chosen) === undefined) continue;
    if (isInRunningText(element)) continue;
    element.removed = true;
  }
}

/** Lists and tables of an encyclopaedia or a manual are full of links and still text. */
function isInRunningText(element: PageElement): boolean {
  if (element.name !== 'ul' && element.name !== 'ol' && element.name !== 'table' && element.name !== 'dl')
    return false;
  const siblings = element.parent?.children ?? [];
  let paragraphs = 0;
  for (const sibling of siblings) if (sibling.type === 'element' && sibling.name === 'p') paragraphs += 1;
  return paragraphs >= 4;
}
