// The commands of a command line. In the small bundle, load-remote.ts takes the place of this file.
import { toWords } from '../../core/errors.ts'
import type { Command, CommandSection } from '../command.ts'
import { loadCommand } from './load-one.ts'

/** Loads the commands that a command line may name: the one that its first word names, or all. */
export async function loadCommandSections([name = '']: readonly string[]): Promise<readonly CommandSection[]> {
  const command = name === 'serve' ? (await import('./serve.ts')).serveCommand : await loadCommand(name)
  if (command) return [{ heading: toWords(''), commands: [command] }]
  return (await import('./index.ts')).commandSections
}

/** Loads the command that runs when none is named. */
export const loadNoCommand = async (): Promise<Command> => (await import('./no-command.ts')).noCommand
