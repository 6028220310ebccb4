export { warcDirectory } from '../control/pages/warc-directory.ts';
