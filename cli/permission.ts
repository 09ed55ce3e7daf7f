// The permission to run a command: an ordinary user's form of it, and the role that the help names.
import type { Command, CommandContext, CommandEntry } from './command.ts'
import { findEndpoint } from './connection/endpoint-client.ts'
import { findOwnEndpoint, refuseFilters, RoleRequired, type RestrictedAccess } from './connection/own-endpoints.ts'

/** Runs a command; an ordinary user gets what the command declares for one. @throws UsageError for further options */
export async function runAsPermitted(command: Command, context: CommandContext): Promise<void> {
  const { own } = command
  try {
    return await command.run(context)
  } catch (error) {
    if (!own || !(error instanceof RoleRequired)) throw error
  }
  const refused = Object.entries(command.options)
    .filter(([name]) => context.options[name] !== undefined && !own.options.includes(name))
    .map(([, { flag }]) => flag.split(' ')[0] ?? flag)
  if (refused.length > 0) throw refuseFilters(refused)
  await own.run(context)
}

/** Returns the role that a command needs, by the access rule of its endpoint; undefined if every user may run it. */
export function findRequiredRole(entry: CommandEntry): RestrictedAccess | undefined {
  if ('commands' in entry) {
    const roles = entry.commands.map(findRequiredRole)
    return roles.includes(undefined) ? undefined : roles.includes('admin') ? 'admin' : 'root'
  }
  const { endpoint = '', own } = entry
  const access = findEndpoint(endpoint)?.access
  return own || findOwnEndpoint(endpoint) || (access !== 'admin' && access !== 'root') ? undefined : access
}
