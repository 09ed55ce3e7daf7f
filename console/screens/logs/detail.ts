// Parses the detail of a log row. Rows may be old or written by another system, so members of an unexpected type are
// dropped.
import type { CallDetail } from '../../../core/calls/detail.ts'
import { detailMemberKinds } from './detail-kinds.built.ts'

/** Parses a row's `other`; empty if it is invalid. */
export function parseDetail(other: string): CallDetail {
  try {
    const read: unknown = JSON.parse(other || '{}')
    if (getKind(read) !== 'object') return {}
    return Object.fromEntries(
      Object.entries(read as object).filter(([name, value]) => hasKind(detailMemberKinds[name], value)),
    ) as CallDetail
  } catch {
    return {}
  }
}

/** Undeclared members are those that are named after a tool. */
const hasKind = (kind: string | undefined, value: unknown) =>
  kind === undefined || kind === 'any' ? value !== undefined : getKind(value) === kind

const getKind = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
