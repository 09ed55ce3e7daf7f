// The explanation of a call from its log row alone, without a ledger entry.
import { expect, it } from 'vitest'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { explainCharge } from '../../../core/logs/explanation.ts'

const lines = [
  { what: 'input', count: 1200, price: '2.5', quota: '3000' },
  { what: 'output', count: 345, price: '3.83', quota: '1321.35' },
]
const row = (quota: number, other: object) =>
  ({ id: 1, type: 2, quota, hold_id: '', request_id: 'r', other: JSON.stringify(other) }) as LogEntry

it.each([
  ['the row says what was charged', row(4321, { lines }), { quota: 4321, exact: '4321.35', rounding: '-0.35' }],
  ['nothing was charged, and nothing is rounded', row(0, {}), { quota: 0, exact: '0', rounding: '0' }],
])('without a ledger entry: %s', (_what, log, told) => {
  expect(explainCharge('r', [log], [])).toMatchObject({
    ...told,
    entry: null,
    balance_before: null,
    balance_after: null,
  })
})
