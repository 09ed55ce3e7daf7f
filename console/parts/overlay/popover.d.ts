// The browser's popover API, whose attributes React 18 passes on although its types lack them.
import 'react'

declare module 'react' {
  interface HTMLAttributes<T> {
    popover?: 'manual'
  }
}
