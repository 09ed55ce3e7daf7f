// Converts an option of new-api, which has the same keys as Weir if both have the option.
import { words } from '../../errors.ts'
import { findDeclaration } from '../../settings/index.ts'
import type { ImportedOption } from '../imported-rows.ts'
import { getCellText, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

export function newApiOption(row: SourceRow): ImportedOption | LeftRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const key = id
  if (findDeclaration(key) === undefined) return { ...label, left: words('there is no such setting here') }
  return { ...label, notes: [], key, value: getCellText(row, 'value') }
}
