// Semi UI's button, which keeps the focus while it is busy: the library replaces the element of a button that gets an icon.
import type { MouseEvent } from 'react'
import SemiButton, { type ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import IconButton from '@douyinfe/semi-ui/lib/es/iconButton'

/** A button with `loading` ignores clicks and the Enter key until the action has ended. */
export function Button({ onClick, ...props }: ButtonProps) {
  const { loading } = props
  if (loading === undefined) return <SemiButton {...props} onClick={onClick} />
  const act = (event: MouseEvent<HTMLButtonElement>) => {
    // A busy submit button would send its form a second time.
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return <IconButton {...props} onClick={act} />
}
