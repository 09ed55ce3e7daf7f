// The confirmation of a destructive command.
import { fillTemplate, words } from '../core/errors.ts'
import type { Ask } from './ask.ts'
import { Cancelled, UsageError } from './failure.ts'
import type { Said } from './language.ts'

const DELETE = words('delete', '删除')
const MUST_BE_SURE = words(
  '--yes is required to {what}: no terminal is available to ask on.',
  '要{what}必须给出 --yes：没有可以提问的终端。',
)

/**
 * Checks at once that the question can be asked or is not needed, and returns the function that asks it.
 * @throws UsageError if no person can be asked and --yes was not given; Cancelled on no
 */
export function requireConfirmation(
  ask: Ask,
  yes: boolean | undefined,
  what: Said = DELETE,
): (question: Said) => Promise<void> {
  if (!yes && !ask.possible) throw new UsageError(fillTemplate(MUST_BE_SURE, { what }))
  return async (question) => {
    if (!yes && !(await ask.confirm(question))) throw new Cancelled()
  }
}
