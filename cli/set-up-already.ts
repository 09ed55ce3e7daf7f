// Does a Weir that is set up differ from what `weir init` was asked for?
import type { WeirClient } from '../core/contracts.ts'
import { GatewayError, words, type Words } from '../core/errors.ts'
import { ROLE } from '../core/users/user.ts'
import { Refusal } from './failure.ts'

interface Asked {
  username?: string
  password?: string
  mode?: string
}

/** What differs, one clause each; empty where all that was asked for holds. */
export async function contradictions(weir: WeirClient, { username, password, mode }: Asked): Promise<Words[]> {
  const name = username ?? 'root'
  const problems: Words[] = []
  if (username !== undefined && !(await isRoot(weir, username)))
    problems.push(words(`its super administrator is not ${username}`, `超级管理员不是 ${username}`))
  else if (password !== undefined && !(await signsIn(weir, name, password)))
    problems.push(words(`${name} has another password`, `${name} 的密码不同`))
  const known = mode === undefined ? undefined : await modeOf(weir)
  if (mode !== known) problems.push(words(`its mode is ${known}`, `模式为 ${known}`))
  return problems
}

async function isRoot(weir: WeirClient, username: string): Promise<boolean> {
  const { items } = await weir.users.search({ keyword: username, page_size: 100 })
  return items.some((user) => user.username === username && user.role === ROLE.root && !user.DeletedAt)
}

// A refusal for any reason but the password (password login switched off, say) proves nothing against it.
async function signsIn(weir: WeirClient, username: string, password: string): Promise<boolean> {
  try {
    await weir.auth.login({ username, password })
    return true
  } catch (error) {
    if (error instanceof GatewayError || error instanceof Refusal) return error.code !== 'login.failed'
    throw error
  }
}

async function modeOf(weir: WeirClient): Promise<string> {
  const { self_use_mode_enabled, demo_site_enabled } = await weir.site.status()
  if (demo_site_enabled) return 'demo'
  return self_use_mode_enabled ? 'self' : 'external'
}
