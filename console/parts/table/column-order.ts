// The order of the columns of a list, as it was stored.
import type { TableColumn } from './column.ts'

/** Returns columns in a stored order; those that it does not know stay where they are. */
export function sortColumns<C extends Pick<TableColumn<never>, 'key'>>(
  columns: readonly C[],
  order: readonly string[],
): C[] {
  const known = columns.filter(({ key }) => order.includes(key))
  known.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  return columns.map((column) => (order.includes(column.key) ? known.shift()! : column))
}
