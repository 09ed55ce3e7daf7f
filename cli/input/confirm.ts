// The confirmation of a destructive command.
import { fillTemplate } from '../../core/errors.ts'
import type { TerminalPrompts } from './ask.ts'
import { CommandCancelled, UsageError } from '../failure.ts'
import type { BilingualText } from '../language.ts'
import { words } from '../texts.ts'

const DELETE = words('delete')
const MUST_BE_SURE = words('--yes is required to {what}: no terminal is available to ask on.')

/**
 * Checks at once that the question can be asked or is not needed, and returns the function that asks it.
 * @throws UsageError if no person can be asked and --yes was not given; Cancelled on no
 */
export function requireConfirmation(
  ask: TerminalPrompts,
  yes: boolean | undefined,
  what: BilingualText = DELETE,
): (question: BilingualText) => Promise<void> {
  if (!yes && !ask.possible) throw new UsageError(fillTemplate(MUST_BE_SURE, { what }))
  return async (question) => {
    if (!yes && !(await ask.confirm(question))) throw new CommandCancelled()
  }
}
