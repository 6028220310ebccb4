import { copyFile, link, realpath } from 'node:fs/promises';
import path from 'node:path';
import { findClosedDoor } from '../../src/platform/embedded/server-user.ts';

/** An ordinary user: `nobody` if the tests run as root, else whoever runs them. */
export const ordinaryUser: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The running Node where an ordinary user can run it: it may itself lie in root's closed home. */
export async function provideNode(directory: string): Promise<string> {
  const node = await realpath(process.execPath);
  const { uid, gid } = ordinaryUser;
  if (uid === undefined || gid === undefined) return node;
  if (findClosedDoor(path.dirname(node), { uid, gid }) === undefined) return node;
  const copy = path.join(directory, 'node');
  await link(node, copy).catch(() => copyFile(node, copy));
  return copy;
}
