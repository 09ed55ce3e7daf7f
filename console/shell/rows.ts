// Keyboard navigation in the rows of the list on the page: the focused row and its neighbors.

const ROWS = 'main table.rows > tbody:not([aria-hidden]) > tr:first-child, main ul.cards > li'

export const toRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null

/** Focuses the next row or the previous one; the first if the focus is outside. */
export function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = toRow()
  const row = here ? rows[rows.indexOf(here) + by] : rows[0]
  if (!row) return
  row.tabIndex = -1
  row.focus({ focusVisible: true } as FocusOptions)
  row.scrollIntoView({ block: 'nearest' })
}

/** Clicks the element, if it exists. */
export const clickElement = (selector: string, within: ParentNode | null = document): void =>
  within?.querySelector<HTMLElement>(selector)?.click()
