/** `forager image …`: the images that were kept. */
import { type Command, Option } from 'commander';
import { positiveInteger, rowLimit, wholeNumber } from './option-values.ts';

const LIST_EXAMPLES = `
Examples:
  forager image list
  forager image list --domain shop.example --min-width 500
  forager image list --product 42
  forager image list --refused
  forager image list --json | jq -r .url

The newest first; --below takes the last number of one list to get the next. With --domain they are those on the pages
of a domain, wherever they lie. --refused lists what was said to be an image and is not kept, with the reason.
Images are fetched where that is wanted: "forager crawl --images", "forager domain set NAME --images all".`;

const SHOW_EXAMPLES = `
Examples:
  forager image show 42
  forager image show 42 --json | jq '.places[].pageUrl'`;

const SAVE_EXAMPLES = `
Examples:
  forager image save 42 -o kettle.jpg
  forager image save 42 --thumbnail > small.webp

The bytes as they were fetched. They lie on the machine of the worker that has fetched them, unless workers share a
directory (FORAGER_IMAGES_DIR).`;

const CLEANUP_EXAMPLES = `
Examples:
  forager image cleanup
  forager image cleanup --grace-hours 1

Removes images that no known page shows any more (its domain was deleted), and files that no image refers to: what was
left when a worker was killed. What was fetched within the last hours is left alone. It may run beside workers. The
directory of the images must belong to this database alone.`;

export function addImageCommand(program: Command): void {
  const image = program.command('image').description('the images that were kept');
  image
    .command('list')
    .description('list images')
    .option('--domain <domain>', 'only those on pages of this domain')
    .option('--product <id>', 'only those of this product', positiveInteger)
    .addOption(
      new Option('--type <type>', 'only of this type').choices(['jpeg', 'png', 'webp', 'gif', 'avif']),
    )
    .option('--min-width <pixels>', 'only those at least this wide', positiveInteger)
    .option('--refused', 'what was said to be an image and is not kept')
    .option('--below <id>', 'only those with a smaller number than this', positiveInteger)
    .option('--limit <n>', 'how many to show', rowLimit, 50)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./image-actions.ts')).listImages(command);
    });
  image
    .command('show')
    .description('show an image: what is known of it, where it lies and where it was seen')
    .argument('<id>', 'its number, as "forager image list" shows it', positiveInteger)
    .addHelpText('after', SHOW_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await import('./image-actions.ts')).showOne(id, command);
    });
  image
    .command('save')
    .description('write an image to a file or to standard output')
    .argument('<id>', 'its number, as "forager image list" shows it', positiveInteger)
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--thumbnail', 'the small version of it')
    .addHelpText('after', SAVE_EXAMPLES)
    .action(async (id: number, _options: unknown, command: Command) => {
      await (await import('./image-actions.ts')).saveOne(id, command);
    });
  image
    .command('cleanup')
    .description('remove images that nothing refers to any more')
    .option('--grace-hours <hours>', 'leave alone what was fetched within these hours', wholeNumber, 24)
    .addHelpText('after', CLEANUP_EXAMPLES)
    .action(async (_options: unknown, command: Command) => {
      await (await import('./image-actions.ts')).cleanUp(command);
    });
}
