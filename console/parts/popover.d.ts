// The browser's own layer above everything, which React 18 passes on without knowing it.
import 'react'

declare module 'react' {
  interface HTMLAttributes<T> {
    popover?: 'manual'
  }
}
