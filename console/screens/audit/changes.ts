// What a row of the audit says was changed, field by field.
import type { AuditRow } from '../../../core/audit/audit.ts'

/** One value as it was and as it is; undefined where it was not there. The field is empty where the whole is one text. */
export interface Change {
  field: string
  before: unknown
  after: unknown
}

/** Fields that differ; of two texts that have no fields, the texts. */
export function changesOf({ before, after }: Pick<AuditRow, 'before' | 'after'>): Change[] {
  const [was, is] = [fieldsIn(before), fieldsIn(after)]
  if (!was || !is)
    return before === after ? [] : [{ field: '', before: before || undefined, after: after || undefined }]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter((change) => textOf(change.before) !== textOf(change.after))
}

/** What is empty is as if it were not there. */
const textOf = (value: unknown) => (value === undefined || value === null || value === '' ? '' : JSON.stringify(value))

/** The members of a JSON object; none in an empty text, null in any other. */
function fieldsIn(text: string): Record<string, unknown> | null {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
