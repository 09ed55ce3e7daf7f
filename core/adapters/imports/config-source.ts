// The configuration file of another gateway as tables, with one row per entry.
import type { ImportSource } from '../../imports/source.ts'
import { readBifrostConfig } from './bifrost-config.ts'
import { readConfigFile, toUnknownFile } from './config-file.ts'
import { readLiteLlmConfig } from './litellm-config.ts'

/** @throws StartError with one sentence if the file cannot be read, or belongs to no known product */
export async function openConfigSource(path: string): Promise<ImportSource> {
  const config = await readConfigFile(path)
  const tables = (await readLiteLlmConfig(config, path)) ?? readBifrostConfig(config)
  if (!tables) throw toUnknownFile(path)
  return {
    tables: new Map([...tables].map(([name, { columns }]) => [name, new Set(columns)])),
    async rows(table, order, after, limit) {
      const rows = tables.get(table)?.rows ?? []
      const from = after === null ? 0 : rows.findIndex((row) => row[order] === after) + 1
      return rows.slice(from, from + limit)
    },
    count: async (table) => tables.get(table)?.rows.length ?? 0,
    close: async () => undefined,
  }
}
