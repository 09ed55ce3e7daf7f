// Cursor paging through a list that is too long to be counted: the page after one that was read starts at its cursor,
// which costs the same at any depth.
import { useRef } from 'react'

/** Returns the input for a page: by its number, or by the cursor of the page before it. */
export function useCursorPaging<Input extends object>(
  /** Identifies the walk: equal for all of its pages. */
  mark: string,
) {
  const cursors = useRef(new Map<string, { input: Input; cursor: string }>())
  const at = (page: number) => `${page} ${mark}`
  return {
    inputOf: (page: number, input: Input): Input & { cursor?: string } => {
      const previous = cursors.current.get(at(page))
      return previous ? { ...previous.input, cursor: previous.cursor } : input
    },
    read: (page: number, input: Input, cursor: string) => {
      if (cursor !== '') cursors.current.set(at(page + 1), { input, cursor })
    },
  }
}
