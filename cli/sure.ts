// The question before something is lost.
import type { Ask } from './ask.ts'
import { Cancelled, UsageError } from './failure.ts'

/** @throws Cancelled on no, UsageError where nobody can be asked and --yes was not given */
export async function sure(ask: Ask, yes: boolean | undefined, question: string): Promise<void> {
  if (yes) return
  if (!ask.possible) throw new UsageError('--yes must be given to delete: there is no terminal to ask on.')
  if (!(await ask.confirm(question))) throw new Cancelled()
}
