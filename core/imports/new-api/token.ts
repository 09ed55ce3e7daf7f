import { fillTemplate, joinList, words } from '../../errors.ts'
import type { ImportedToken } from '../imported-rows.ts'
import { convertAncestorToken } from '../ancestor/token.ts'
import { getCellFlag, parseCellMoment, getCellText, getCellWord, type SourceRow } from '../cells.ts'
import { isLeft, type LeftRow, type SourceFacts } from '../product.ts'

/** The group name of tokens whose calls use the first of several groups that serves the model. */
const AUTO = 'auto'

/** A token of new-api. */
export function newApiToken(row: SourceRow, facts: SourceFacts): ImportedToken | LeftRow {
  const group = getCellWord(row, 'group')
  const autoGroups = group === AUTO ? listAutoGroups(facts.options) : []
  const [first = ''] = autoGroups
  const token = convertAncestorToken(row, facts, {
    limited: getCellFlag(row, 'model_limits_enabled'),
    models: getCellText(row, 'model_limits'),
    addresses: getCellText(row, 'allow_ips'),
    group: group === AUTO ? first : group,
    deleted_at: parseCellMoment(row, 'deleted_at'),
  })
  if (!isLeft(token) && group === AUTO)
    token.notes.push(
      fillTemplate(words('its group auto tried {autoGroups} in turn: it has {first} here'), {
        autoGroups: joinList(autoGroups) || words('no group'),
        first: first || words("its user's group"),
      }),
    )
  return token
}

/** Returns the groups that `auto` tries and that users may choose, in their order. */
function listAutoGroups(options: SourceFacts['options']): string[] {
  const groups = parse(options.get('AutoGroups')) ?? ['default']
  const usable = parse(options.get('UserUsableGroups')) ?? { default: '', vip: '' }
  if (!Array.isArray(groups) || typeof usable !== 'object') return []
  return groups.filter((group): group is string => typeof group === 'string' && Object.hasOwn(usable, group))
}

function parse(text: string | undefined): object | undefined {
  try {
    return (JSON.parse(text ?? '') as object | null) ?? undefined
  } catch {
    return undefined
  }
}
