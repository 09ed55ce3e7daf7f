// The command that calls each endpoint, as its words: `sign-in-services discover`. The bundle holds them as data.
import { listEveryCommand } from '../command.ts'
import { allCommands } from './index.ts'

/** By the full name of the endpoint; of several commands the first. */
export const endpointCommands: Record<string, string> = Object.fromEntries(
  listEveryCommand(allCommands)
    .flatMap(([path, { endpoint }]) => (endpoint === undefined ? [] : [[endpoint, path.join(' ')] as const]))
    .reverse(),
)
