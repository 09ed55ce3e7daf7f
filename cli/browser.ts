// Opening pages in the person's browser, if there is one.
import { spawn } from 'node:child_process'

type BrowserVariables = Record<string, string | undefined>

/** Returns the program that opens an address; undefined if the person is on another machine or has no screen. */
export function findBrowserCommand(
  env: BrowserVariables,
  platform: NodeJS.Platform = process.platform,
): [string, ...string[]] | undefined {
  if (env.SSH_CONNECTION) return undefined
  if (platform === 'darwin') return ['open']
  // `start` is a builtin of cmd.exe, which would interpret the address as commands.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** Maximum wait for the opener, in ms: some stay open as long as the browser. */
const OPENER_TIMEOUT_MS = 2000

/** Opens the address. Returns false if that was not possible. */
export function openInBrowser(url: string, env: BrowserVariables): Promise<boolean> {
  const opener = findBrowserCommand(env)
  if (!opener || !/^https?:\/\//.test(url)) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true })
    const waited = setTimeout(() => resolve(true), OPENER_TIMEOUT_MS)
    const finish = (opened: boolean) => {
      clearTimeout(waited)
      resolve(opened)
    }
    child.once('error', () => finish(false))
    child.once('exit', (code) => finish(code === 0))
    child.unref()
  })
}
