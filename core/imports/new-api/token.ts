import { ancestorToken } from '../ancestor/token.ts'
import { cellFlag, cellMoment, cellText, cellWord, type SourceRow } from '../cells.ts'
import type { SourceFacts } from '../product.ts'

/** A token of new-api. */
export const newApiToken = (row: SourceRow, facts: SourceFacts) =>
  ancestorToken(row, facts, {
    limited: cellFlag(row, 'model_limits_enabled'),
    models: cellText(row, 'model_limits'),
    addresses: cellText(row, 'allow_ips'),
    group: cellWord(row, 'group'),
    deleted_at: cellMoment(row, 'deleted_at'),
  })
