// The commands of a command line. In the small bundle, load-remote.ts takes the place of this file.
import type { Command, CommandSection } from '../command.ts'
import { commandSections } from './index.ts'
import { noCommand } from './no-command.ts'

/** Loads the commands that a command line may name. */
export const loadCommandSections = async (_args: readonly string[]): Promise<readonly CommandSection[]> =>
  commandSections

/** Loads the command that runs when none is named. */
export const loadNoCommand = async (): Promise<Command> => noCommand
