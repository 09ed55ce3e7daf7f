// Reads a configuration file in YAML or JSON.
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { SourceRow } from '../../imports/cells.ts'
import { ALL_SOURCES_TEXT } from '../../imports/products.ts'
import { StartError } from '../start-error.ts'

export type ConfigFields = Record<string, unknown>

/** The rows of a configuration by table. Every table has at least the named columns. */
export type ConfigTables = ReadonlyMap<string, { columns: readonly string[]; rows: readonly SourceRow[] }>

/** The refusal of a file of another product, or of one without anything to import. */
export const toUnknownFile = (path: string): StartError =>
  new StartError(
    `The file ${path} is not of a product that Weir can import, or has nothing to import. ${ALL_SOURCES_TEXT.en}`,
  )

/** @throws StartError if the file cannot be read, or is not an object in YAML or JSON */
export async function readConfigFile(path: string): Promise<ConfigFields> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = (error as { code?: string }).code ?? String(error)
    throw new StartError(`The file ${path} cannot be read (${reason}).`, error)
  })
  const config = parseConfig(text, path)
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config as ConfigFields
  throw toUnknownFile(path)
}

function parseConfig(text: string, path: string): unknown {
  try {
    // YAML 1.1 as LiteLLM's own reader has it: with merge keys, and `yes` for true. Dates stay texts.
    return parse(text, {
      version: '1.1',
      uniqueKeys: false,
      maxAliasCount: MAX_ALIASES,
      logLevel: 'error',
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith(':timestamp')),
    })
  } catch (error) {
    throw new StartError(
      `The file ${path} is neither YAML nor JSON nor a SQLite database: ${(error as Error).message.split('\n', 1)[0]} ${ALL_SOURCES_TEXT.en}`,
      error,
    )
  }
}
const MAX_ALIASES = 10_000

export const toConfigFields = (value: unknown): ConfigFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ConfigFields) : {}
