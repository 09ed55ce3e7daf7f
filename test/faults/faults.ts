// Every way in which a provider misbehaves here. The page FAULTS.md is made from this table.
import { amountFaults, reportFaults, statusFaults } from './amount-faults.ts'
import { contentFaults } from './content-faults.ts'
import type { Fault } from './fault.ts'
import { connectionFaults, framingFaults } from './transport-faults.ts'

export const groups: Record<string, Fault[]> = {
  'The connection': connectionFaults,
  'The framing of HTTP': framingFaults,
  'The content': contentFaults,
  'How much is sent and reported': amountFaults,
  'Where a report stands': reportFaults,
  'Other statuses': statusFaults,
}
