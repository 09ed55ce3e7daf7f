// The rows of the list on the page, for keys: the one that has the focus, and those beside it.

const ROWS = 'main table.rows > tbody:not([aria-hidden]) > tr:first-child, main ul.cards > li'

export const toRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(ROWS) ?? null

/** To the next row or the one before; from outside to the first. */
export function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = toRow()
  const row = here ? rows[rows.indexOf(here) + by] : rows[0]
  if (!row) return
  row.tabIndex = -1
  row.focus({ focusVisible: true } as FocusOptions)
  row.scrollIntoView({ block: 'nearest' })
}

/** Clicks what is there, where there is one. */
export const press = (selector: string, within: ParentNode | null = document): void =>
  within?.querySelector<HTMLElement>(selector)?.click()
