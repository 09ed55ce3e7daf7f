// The changes in a row of the audit, field by field.
import type { AuditRow } from '../../../core/audit/audit.ts'

/** One value before and after; undefined if it did not exist. The field is empty if the whole is one text. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

/** Returns the fields that differ; for texts without fields, the whole texts. */
export function listAuditedChanges({ before, after }: Pick<AuditRow, 'before' | 'after'>): FieldChange[] {
  const [was, is] = [parseFields(before), parseFields(after)]
  if (!was || !is)
    return before === after ? [] : [{ field: '', before: before || undefined, after: after || undefined }]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter((change) => formatEntry(change.before) !== formatEntry(change.after))
}

/** An empty value counts as missing. */
const formatEntry = (value: unknown) =>
  value === undefined || value === null || value === '' ? '' : JSON.stringify(value)

/** Returns the members of a JSON object; none for an empty text, null for any other text. */
function parseFields(text: string): Record<string, unknown> | null {
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
