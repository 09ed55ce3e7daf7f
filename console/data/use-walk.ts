// Walking through a list that is too long to be counted: a page that follows one that was read begins where that one ended,
// by its cursor, which costs the same however far one is.
import { useRef } from 'react'

/** What a page is read with: as it was asked for, or as the page before it was, with its cursor. */
export function useWalk<Input extends object>(
  /** What is the same for all pages of one walk. */
  mark: string,
) {
  const cursors = useRef(new Map<string, { input: Input; cursor: string }>())
  const at = (page: number) => `${page} ${mark}`
  return {
    inputOf: (page: number, input: Input): Input & { cursor?: string } => {
      const begun = cursors.current.get(at(page))
      return begun ? { ...begun.input, cursor: begun.cursor } : input
    },
    read: (page: number, input: Input, cursor: string) => {
      if (cursor !== '') cursors.current.set(at(page + 1), { input, cursor })
    },
  }
}
