/** What the secrets of this database are sealed and opened with. */
import type { Config } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database.ts';
import { openSecretBox, type SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';

const findSecrets = loadSql(import.meta.url, './has-secrets.sql');

export function openBox(db: Queryable, config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretBox> {
  return openSecretBox(config, async () => {
    const { rows } = await db.query<{ hasSecrets: boolean }>(findSecrets, []);
    return rows[0]?.hasSecrets === true;
  });
}
