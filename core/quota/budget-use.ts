// The spent part of budgets, for display only. No decision depends on it.
import { parseCounter } from './counter.ts'
import { getSpentSince } from './limit.ts'
import type { LedgerStore, SpentQuestion } from './store.ts'

/** Returns the quota units charged under each budget's key since its period began. */
export async function getBudgetUse(store: LedgerStore, questions: SpentQuestion[]): Promise<Map<string, number>> {
  const rows = await store.counters(questions.map(({ key }) => key))
  const counters = new Map(rows.filter(({ state }) => state !== '').map((row) => [row.key, parseCounter(row)]))
  const uncounted = questions.filter(({ key }) => !counters.has(key))
  const spent = uncounted.length > 0 ? await store.spent(uncounted) : []
  const used = new Map(spent.map((each) => [each.key, each.spent]))
  for (const { key, since } of questions) {
    const counter = counters.get(key)
    if (counter) used.set(key, getSpentSince(counter, since))
  }
  return used
}
