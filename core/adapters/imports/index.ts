// Opens the database of another product read-only. Every cell is read as the database's text for it.
import type { ImportSource } from '../../imports/source.ts'
import { StartError } from '../start-error.ts'
import { withDecryptedModels } from './litellm.ts'
import { openMysqlSource } from './mysql.ts'
import { openPostgresSource } from './postgres.ts'
import { openSqliteSource } from './sqlite.ts'
import { openYamlSource } from './yaml.ts'

/**
 * @param place an SQLite file, a `config.yaml`, `postgres://…` or `mysql://…`
 * @throws StartError with one sentence if it cannot be read
 */
export async function openImportSource(place: string): Promise<ImportSource> {
  if (/^postgres(ql)?:\/\//.test(place)) return withDecryptedModels(await openPostgresSource(place))
  if (/^(mysql|mariadb):\/\//.test(place)) return openMysqlSource(place.replace(/^mariadb:/, 'mysql:'))
  if (/^[a-z][a-z0-9+]*:\/\//i.test(place) && !place.startsWith('file:'))
    throw new StartError('The source must be a file of SQLite, a config.yaml, postgres://… or mysql://….')
  if (/\.ya?ml$/i.test(place)) return openYamlSource(place)
  return openSqliteSource(place.replace(/^file:(\/\/)?/, ''))
}
