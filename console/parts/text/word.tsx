// A text of the console that stands alone in a row, such as "never": it begins with a capital letter, as a name would not.
import type { ReactNode } from 'react'

/** Begins a text that stands alone with a capital letter, where no style can: in an option or a picture. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const StandaloneWord = ({ muted, children }: { muted?: boolean; children: ReactNode }) => (
  <span className={muted ? 'word muted' : 'word'}>{children}</span>
)
