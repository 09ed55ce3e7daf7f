// What the commands of teams are given, and what they print with --quiet.
import type { Json } from '../support/json.ts'

/** Commands that make or change something: their words, and what --quiet prints. */
export type Changes = Record<string, { args: () => Promise<string[]>; quiet: (args: string[]) => RegExp }>

/** The id that was given. */
export const sameId = ([id]: string[]) => new RegExp(`^${id}\\n$`)

export function teamChanges(dataOf: (words: string[]) => Promise<Json>): Changes {
  let teams = 0
  const newTeam = async () => String((await dataOf(['teams', 'add', `team ${(teams += 1)}`])).id)
  return {
    'teams add': { args: async () => [`team ${(teams += 1)}`], quiet: () => /^\d+\n$/ },
    'teams rename': {
      args: async () => [await newTeam(), `team ${(teams += 1)}`],
      quiet: sameId,
    },
    'teams rm': { args: async () => [await newTeam(), '--yes'], quiet: sameId },
    'teams member': { args: async () => [await newTeam(), 'root', '--day', '$5'], quiet: () => /^\d+\n$/ },
    'teams remove-member': {
      args: async () => {
        const [id, name] = [await newTeam(), `mate${teams}`]
        await dataOf(['users', 'create', name])
        await dataOf(['teams', 'member', id, name])
        return [id, name, '--yes']
      },
      quiet: () => /^\d+\n$/,
    },
    'teams topup': { args: async () => [await newTeam(), '$5', '--grant'], quiet: sameId },
  }
}
