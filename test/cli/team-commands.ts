// The input of the commands about teams, and their output with --quiet.
import type { Gateway } from '../../core/gateway.ts'
import type { Json } from '../support/json.ts'
import { joinTeam } from '../support/teams.ts'

/** Commands that make or change something: their words, and what --quiet prints. */
export type Changes = Record<string, { args: () => Promise<string[]>; quiet: (args: string[]) => RegExp }>

/** The id that was given. */
export const sameId = ([id]: string[]) => new RegExp(`^${id}\\n$`)

export function teamChanges(dataOf: (words: string[]) => Promise<Json>, gateway: () => Gateway): Changes {
  let teams = 0
  /** A team that is not root's, and asks for root. */
  async function invitedTo(): Promise<string> {
    const name = `team ${(teams += 1)}`
    await gateway().ports.storage.teams.insert({ name, created_time: 1_700_000_000 })
    await dataOf(['teams', 'member', name, 'root'])
    return name
  }
  const newTeam = async () => String((await dataOf(['teams', 'add', `team ${(teams += 1)}`])).id)
  /** A team, and a view that it shares. */
  async function newView(): Promise<string[]> {
    const team = await newTeam()
    return [team, String((await dataOf(['teams', 'views', 'add', team, 'Errors', '--list', 'logs'])).id)]
  }
  return {
    'teams add': { args: async () => [`team ${(teams += 1)}`], quiet: () => /^\d+\n$/ },
    'teams rename': {
      args: async () => [await newTeam(), `team ${(teams += 1)}`],
      quiet: sameId,
    },
    'teams rm': { args: async () => [await newTeam(), '--yes'], quiet: sameId },
    'teams member': { args: async () => [await newTeam(), 'root', '--budget-day', '$5'], quiet: () => /^\d+\n$/ },
    'teams remove-member': {
      args: async () => {
        const [id, name] = [await newTeam(), `mate${teams}`]
        await dataOf(['users', 'create', name])
        await joinTeam(gateway(), { id: Number(id), username: String(name) })
        return [id, name, '--yes']
      },
      quiet: () => /^\d+\n$/,
    },
    'teams accept': { args: async () => [await invitedTo()], quiet: () => /^\d+\n$/ },
    'teams decline': { args: async () => [await invitedTo()], quiet: () => /^\d+\n$/ },
    'teams withdraw': {
      args: async () => {
        const id = await newTeam()
        await dataOf(['teams', 'member', id, 'somebody'])
        return [id, 'somebody']
      },
      quiet: () => /^\d+\n$/,
    },
    'teams views add': {
      args: async () => [await newTeam(), 'Errors', '--list', 'logs', '--query', '?type=5'],
      quiet: () => /^\d+\n$/,
    },
    'teams views rename': {
      args: async () => [...(await newView()), 'Failures'],
      quiet: ([, id]) => new RegExp(`^${id}\\n$`),
    },
    'teams views rm': {
      args: async () => [...(await newView()), '--yes'],
      quiet: ([, id]) => new RegExp(`^${id}\\n$`),
    },
    'teams topup': { args: async () => [await newTeam(), '$5', '--grant'], quiet: sameId },
  }
}
