// The commands of the small bundle: each is loaded when a command line names it.
import type { Command, CommandSection } from '../command.ts'
import { toWords } from '../../core/errors.ts'
import { loadCommand } from './load-one.ts'

/** Loads the one command that the first word names. */
export async function loadCommandSections([name = '']: readonly string[]): Promise<readonly CommandSection[]> {
  const command = await loadCommand(name)
  if (!command) throw new Error(`The small bundle has no command ${name}.`)
  return [{ heading: toWords(''), commands: [command] }]
}

/** A command line without words is for the whole bundle. */
export async function loadNoCommand(): Promise<Command> {
  throw new Error('The small bundle has no command without a name.')
}
