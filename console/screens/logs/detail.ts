// Reading the detail of a log row. Rows may be old, or written by nobody we know: what is not of its kind is left out.
import type { CallDetail } from '../../../core/calls/detail.ts'
import { detailKinds } from './detail-kinds.built.ts'

/** A row's `other`; empty where it cannot be read. */
export function detailOf(other: string): CallDetail {
  try {
    const read: unknown = JSON.parse(other || '{}')
    if (kindOf(read) !== 'object') return {}
    return Object.fromEntries(
      Object.entries(read as object).filter(([name, value]) => isOf(detailKinds[name], value)),
    ) as CallDetail
  } catch {
    return {}
  }
}

/** Members that nobody declared are those named for a tool. */
const isOf = (kind: string | undefined, value: unknown) =>
  kind === undefined || kind === 'any' ? value !== undefined : kindOf(value) === kind

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
