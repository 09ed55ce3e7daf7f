// Converts a token of one-hub, whose limits are in `setting`.
import { asList, asObject, asText } from '../../dialects/json/json-value.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import type { ImportedToken } from '../imported-rows.ts'
import { parseCellMoment, getCellObject, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { LeftRow, SourceFacts } from '../product.ts'

export function oneHubToken(row: SourceRow, facts: SourceFacts): ImportedToken | LeftRow {
  const notes: RowChangeNotes = []
  const { limits, heartbeat, billing_tag, ...others } = getCellObject(row, 'setting', notes)
  const { limit_model_setting, limits_ip_setting } = asObject(limits) ?? {}
  const [models, addresses] = [asObject(limit_model_setting), asObject(limits_ip_setting)]
  const made = convertAncestorToken(row, facts, {
    limited: models?.enabled === true,
    models: listTexts(models?.models).join(','),
    addresses: addresses?.enabled === true ? listTexts(addresses.whitelist).join('\n') : '',
    group: getCellWord(row, 'group'),
    deleted_at: parseCellMoment(row, 'deleted_at'),
  })
  if ('left' in made) return made
  const lost = [
    ...(getCellWord(row, 'backup_group') === '' ? [] : ['backup_group']),
    ...(asObject(heartbeat)?.enabled === true ? ['heartbeat'] : []),
    ...(asText(billing_tag) ? ['billing_tag'] : []),
    ...Object.keys(others),
  ]
  if (lost.length > 0) notes.push(fillTemplate(words('Weir has no place for {lost}'), { lost: joinList(lost) }))
  return { ...made, notes: [...made.notes, ...notes] }
}

const listTexts = (value: unknown): string[] => (asList(value) ?? []).map(String)
