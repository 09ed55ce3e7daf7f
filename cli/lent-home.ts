// A home for one run of a client that a setting of its user's sends elsewhere: everything of theirs, but for that setting.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { ClientConfig } from '../core/tokens/clients.ts'

type Json = Record<string, unknown>

/** The variable that names it; none where the user's own settings do. `room` is an empty folder. */
export async function lentHome(
  { setting }: ClientConfig,
  env: Record<string, string | undefined>,
  room: string,
): Promise<Record<string, string>> {
  if (!setting) return {}
  const theirs = path.join(env[setting.variable] ?? env.HOME ?? homedir(), setting.folder)
  const text = await readFile(path.join(theirs, setting.file), 'utf8').catch(() => '{}')
  const changed = withValue(parsed(text), setting.path, setting.value)
  if (!changed) return {}
  const lent = path.join(room, setting.folder)
  await mkdir(lent)
  for (const name of await readdir(theirs).catch(() => []))
    if (name !== setting.file) await symlink(path.join(theirs, name), path.join(lent, name))
  await writeFile(path.join(lent, setting.file), JSON.stringify(changed, null, 2), { mode: 0o600 })
  return { [setting.variable]: room }
}

/** Settings with the value there; undefined where it stands there already. */
function withValue(settings: Json, [name = '', ...rest]: readonly string[], value: string): Json | undefined {
  const within = settings[name]
  if (rest.length === 0) return within === value ? undefined : { ...settings, [name]: value }
  const inner = withValue(typeof within === 'object' && within !== null ? (within as Json) : {}, rest, value)
  return inner && { ...settings, [name]: inner }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
