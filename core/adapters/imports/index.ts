// Opens the source of an import read-only: the database of another product, or its configuration file. Every cell is read
// as the source's text for it.
import type { ImportSource } from '../../imports/source.ts'
import { ALL_SOURCES_TEXT } from '../../imports/products.ts'
import { loadOptional } from '../optional-package.ts'
import { StartError } from '../start-error.ts'
import { openConfigSource } from './config-source.ts'
import { withDecryptedModels } from './litellm.ts'
import { withOneHubRows } from './one-hub.ts'
import { openPostgresSource } from './postgres.ts'
import { isSqliteFile, openSqliteSource } from './sqlite.ts'

/**
 * @param place a file of SQLite, YAML or JSON, whatever its name; `postgres://…` or `mysql://…`
 * @throws StartError with one sentence if it cannot be read
 */
export async function openImportSource(place: string): Promise<ImportSource> {
  if (/^postgres(ql)?:\/\//.test(place))
    return withOneHubRows(await withDecryptedModels(await openPostgresSource(place)))
  if (/^(mysql|mariadb):\/\//.test(place)) {
    const { openMysqlSource } = await loadOptional('mysql', () => import('./mysql.ts'))
    return withOneHubRows(await openMysqlSource(place.replace(/^mariadb:/, 'mysql:')))
  }
  if (/^[a-z][a-z0-9+]*:\/\//i.test(place) && !place.startsWith('file:'))
    throw new StartError(`The source must be a file, postgres://… or mysql://…. ${ALL_SOURCES_TEXT.en}`)
  const path = place.replace(/^file:(\/\/)?/, '')
  return (await isSqliteFile(path)) ? withOneHubRows(await openSqliteSource(path)) : openConfigSource(path)
}
