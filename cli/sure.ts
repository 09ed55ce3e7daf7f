// The question before something is lost.
import type { Ask } from './ask.ts'
import { Cancelled, UsageError } from './failure.ts'

/**
 * Checks at once that the question can be asked or need not be, and gives the function that asks it.
 * @throws UsageError where nobody can be asked and --yes was not given; Cancelled on no
 */
export function needSure(ask: Ask, yes: boolean | undefined, what = 'delete'): (question: string) => Promise<void> {
  if (!yes && !ask.possible) throw new UsageError(`--yes must be given to ${what}: there is no terminal to ask on.`)
  return async (question) => {
    if (!yes && !(await ask.confirm(question))) throw new Cancelled()
  }
}
