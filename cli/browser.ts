// A page in the person's browser, where there is one.
import { spawn } from 'node:child_process'

type Env = Record<string, string | undefined>

/** The program that opens an address; undefined where the person sits elsewhere or has no screen. */
export function findBrowserCommand(
  env: Env,
  platform: NodeJS.Platform = process.platform,
): [string, ...string[]] | undefined {
  if (env.SSH_CONNECTION) return undefined
  if (platform === 'darwin') return ['open']
  // `start` is a word of cmd.exe, which would read the address as commands.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** Longer nobody waits for the opener, in ms: some stay as long as the browser. */
const PATIENCE_MS = 2000

/** Opens it; false where that was not possible. */
export function openInBrowser(url: string, env: Env): Promise<boolean> {
  const opener = findBrowserCommand(env)
  if (!opener || !/^https?:\/\//.test(url)) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true })
    const waited = setTimeout(() => resolve(true), PATIENCE_MS)
    const ended = (opened: boolean) => {
      clearTimeout(waited)
      resolve(opened)
    }
    child.once('error', () => ended(false))
    child.once('exit', (code) => ended(code === 0))
    child.unref()
  })
}
