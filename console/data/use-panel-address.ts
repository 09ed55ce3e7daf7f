// The address of a panel over a list: `/token/edit` creates, `/token/edit/7` edits.
import { useLocation, useMatch, useNavigate } from 'react-router'

export interface PanelAddress {
  /** null if no panel is open. */
  shown: 'new' | number | null
  add(): void
  edit(row: { id: number }): void
  close(): void
}

/** Reads from the address which panel of the list at `base` is open. The state of the list stays in the address. */
export function usePanelAddress(base: string): PanelAddress {
  const { search } = useLocation()
  const navigate = useNavigate()
  const isNew = useMatch(`${base}/edit`) !== null
  const edited = useMatch(`${base}/edit/:id`)?.params.id
  const go = (path: string) => void navigate(path + search)
  return {
    shown: isNew ? 'new' : edited === undefined ? null : Number(edited),
    add: () => go(`${base}/edit`),
    edit: ({ id }) => go(`${base}/edit/${id}`),
    close: () => go(base),
  }
}
