// The rules for a LiteLLM config.yaml: one channel for each of its models, with prices.
import type { ImportRules, SkippedRow } from '../product.ts'
import { convertLiteLlmModel } from './channel.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import type { ImportedOption } from '../imported-rows.ts'
import { getCellText, parseCellJson, type SourceRow } from '../cells.ts'
import { convertLiteLlmFallbacks } from './fallbacks.ts'

export const liteLlmImportRules: ImportRules = {
  product: 'litellm',
  tables: [
    {
      table: 'model_list',
      kind: 'channel',
      order: 'id',
      needs: ['model_name', 'litellm_params'],
      rule: convertLiteLlmModel,
    },
    { table: 'settings', kind: 'option', order: 'key', needs: ['key', 'value'], rule: liteLlmSetting },
  ],
  derived: {},
  isOwn: (tables) => tables.has('model_list'),
  // The file has no installation id, so its models are identified by their content.
  marks: () => ['config.yaml'],
}

// A setting of LiteLLM's config: those that have a place here.

function liteLlmSetting(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const [, name = id] = id.split('.')
  const value = parseCellJson(row, 'value')
  if (name === 'fallbacks') return convertLiteLlmFallbacks(row)
  if (name === 'num_retries' && typeof value === 'number')
    return {
      ...label,
      notes: [words('it is called RetryTimes here')],
      key: 'RetryTimes',
      value: String(value),
    }
  if (name === 'model_group_alias') return { ...label, left: describeAliases(value, parseCellJson(row, 'models')) }
  if (name === 'master_key')
    return {
      ...label,
      left: words('the master key opens everything there: make an API key, or an access token, for what used it'),
    }
  return { ...label, left: words('there is no such setting here') }
}

/** @param models the names of all models of the file, with aliases of these */
function describeAliases(value: unknown, models: unknown) {
  const names: readonly unknown[] = Array.isArray(models) ? models : []
  const lost = Object.keys(Object(value)).filter((alias) => !names.includes(alias))
  return lost.length === 0
    ? words('other names are in the channels of their models')
    : fillTemplate(words('other names are in the channels of their models; the file has no model for {lost}'), {
        lost: joinList(lost),
      })
}
