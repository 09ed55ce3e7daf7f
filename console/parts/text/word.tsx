// A text of the console that stands alone in a row, such as "never": it begins with a capital letter, as a name would not.
import type { ReactNode } from 'react'

export const StandaloneWord = ({ muted, children }: { muted?: boolean; children: ReactNode }) => (
  <span className={muted ? 'word muted' : 'word'}>{children}</span>
)
